"""The Message Specifications of the made-up payment scheme."""

# ruff: noqa: E501 (printed sentences and table rows stay on one line)
from __future__ import annotations

from datetime import date

from acceptance import COLOUR, NOTICE, SCHEME
from typeset import Cover, Story, bullets, code, h1, h2, p, rulebook, table

FIELDS = (
    ("1", "Message code", "a3-n4", "8", "TRX- and four digits"),
    ("2", "Payment Token", "n", "16–19", ""),
    ("3", "Processing code", "n", "6", "see section 5.3"),
    ("4", "Amount", "n", "12", "in the smallest unit of the currency"),
    ("7", "Date and time of sending", "n", "14", "YYYYMMDDhhmmss, UTC"),
    ("11", "Trace number", "n", "6", "unique per sender and day"),
    ("14", "End of validity of the token", "n", "4", "YYMM"),
    ("18", "Kind of merchant", "n", "4", ""),
    ("19", "Country of the merchant", "n", "3", "ISO 3166-1, numeric"),
    ("22", "Way of entry", "an", "3", "see section 5.4"),
    ("23", "Sequence number of the token", "n", "3", ""),
    ("25", "Condition of the payment", "n", "2", ""),
    ("27", "Device Category", "an", "4", "Acceptance Devices Rulebook, Appendix A"),
    ("28", "Name of the device", "ans", "1–40", "as given by the cardholder"),
    ("31", "Kind of order", "n", "1", "1 single, 2 part delivery, 4 repeated"),
    ("32", "Acquirer", "n", "11", ""),
    ("37", "Reference of the Acquirer", "an", "12", "kept for 18 months"),
    ("38", "Approval code", "an", "6", "in answers with R-00 only"),
    ("39", "Response code", "an", "4", "see section 5.1"),
    ("41", "Terminal", "ans", "8", ""),
    ("42", "Merchant", "ans", "15", ""),
    ("43", "Name and place of the merchant", "ans", "1–99", ""),
    ("48", "Further data", "ans", "1–255", "tag, length, value"),
    ("49", "Currency", "n", "3", "ISO 4217, numeric"),
    ("52", "PIN block", "b", "64 bit", "encrypted"),
    ("55", "Chip data", "b", "1–255", "bytes"),
    ("63", "Result of the confirmation", "n", "1", "0 none, 1 confirmed, 2 refused, 3 timed out"),
    ("90", "Data of the original message", "n", "42", "in TRX-0060 and TRX-0051"),
    ("128", "Message authentication code", "b", "64 bit", "over all fields before it"),
)


def build() -> bytes:
    cover = Cover(
        scheme=SCHEME,
        title="Message Specifications",
        revision=7,
        in_force=date(2026, 3, 1),
        supersedes="Supersedes revision 6 of 1 September 2025.",
        changes=(
            ("5", "1 March 2025", "Field 27 (Device Category) made mandatory."),
            ("6", "1 September 2025", "TRX-0071 added."),
            ("7", "1 March 2026", "Field 63 and response code R-68 added for Appliances."),
        ),
        notice=NOTICE,
        colour=COLOUR,
    )
    return rulebook(cover, body())


def _message(code_: str, number: int, rows: list[tuple[str, str, str]]) -> Story:
    """The table of the fields of one message; M mandatory, C conditional, O optional."""
    mandatory = [row for row in rows if row[1] == "M"]
    other = [row for row in rows if row[1] != "M"]
    grid: list[tuple[str, ...]] = [("Presence", "Field", "Remark")]
    spans: list[tuple[int, int, int, int]] = []
    for name, group in (("mandatory", mandatory), ("conditional", other)):
        if len(group) > 1:
            spans.append((0, len(grid), 0, len(grid) + len(group) - 1))
        grid += [(name, field, remark) for field, _, remark in group]
    return table(f"Table {number} Fields of {code_}", grid, (32, 58, 70), spans=spans)


def body() -> Story:
    return [
        *h1("1 Introduction"),
        *h2("1.1 Purpose"),
        *p(
            "This document describes the messages that Members of Farrowmere Pay exchange for payments, refunds and "
            "devices. It is written for those who build and test the systems of Members."
        ),
        *h2("1.2 Related rulebooks"),
        *p(
            "Time-outs are laid down in the Acceptance Devices Rulebook, section 4.2. The fee for each message is found in "
            "the Fees Rulebook, section 5.2; interchange fees in the Fees Rulebook, section 4.1."
        ),
        *h1("2 Structure of a message"),
        *h2("2.1 Parts"),
        *p(
            "A message consists of a length of 2 bytes, the message code, a bitmap of 16 bytes and the fields in ascending "
            "order. It has at most 4,096 bytes.{1} Letters are coded in ASCII, amounts without separator.",
            ("1", "Without the length itself. A longer message is answered with error E-104."),
        ),
        *h2("2.2 Formats"),
        *table(
            "Table 1 Formats",
            [
                ("Sign", "Meaning", "Filling"),
                ("n", "digits", "zeros from the left"),
                ("a", "letters A to Z", "blanks to the right"),
                ("an", "letters and digits", "blanks to the right"),
                ("ans", "letters, digits and signs", "none"),
                ("b", "bits", "none"),
            ],
            (28, 66, 66),
            rules="three",
        ),
        *h2("2.3 Connection and repetition"),
        *p(
            "Messages travel over TLS 1.3 on port 8583. A sender that gets no answer within the time-out repeats the "
            "message at most 3 times, at intervals of 20 s, with the same trace number. After the third repetition it "
            "sends TRX-0060. An idle connection is tested every 90 s with TRX-0001."
        ),
        *h1("3 Fields"),
        *h2("3.1 Bitmap"),
        *p("Bit n of the bitmap is 1 when field n is present. Bits are counted from 1, the highest bit first."),
        *h2("3.2 List of fields", need=70),
        *table(
            "Table 2 Fields",
            [("Field", "Name", "Format", "Length", "Remark"), *FIELDS],
            (16, 52, 18, 19, 55),
            right=(0, 3),
            breakable=True,
        ),
        *h1("4 Messages"),
        *p("Table 3 lists the messages that are in use. A code that is not listed is not in use."),
        *table(
            "Table 3 Messages",
            [
                ("Code", "Message", "From", "To", "Time-out"),
                ("TRX-0001", "Test of the connection", "any", "any", "5 s"),
                ("TRX-0042", "Authorisation request", "Acquirer", "Issuer", "12 s"),
                ("TRX-0043", "Authorisation response", "Issuer", "Acquirer", "–"),
                ("TRX-0051", "Refund advice", "Acquirer", "Issuer", "30 s"),
                ("TRX-0060", "Reversal", "Acquirer", "Issuer", "30 s"),
                ("TRX-0071", "Registration of a device", "Token Requestor", "Issuer", "60 s"),
                ("TRX-0072", "Answer to a registration", "Issuer", "Token Requestor", "–"),
            ],
            (26, 52, 32, 32, 18),
            right=(4,),
        ),
        *h2("4.1 TRX-0042 Authorisation request"),
        *p(
            "The Acquirer asks the Issuer to approve a payment. The message is sent when the limit without verification is "
            "reached, and for every payment by an Appliance or a car."
        ),
        *_message(
            "TRX-0042",
            4,
            [
                ("2 Payment Token", "M", ""),
                ("4 Amount", "M", "not 0"),
                ("7, 11 Time and trace number", "M", ""),
                ("19 Country of the merchant", "M", "decides what is domestic"),
                ("27 Device Category", "M", "R-57 when missing"),
                ("128 Authentication code", "M", ""),
                ("28 Name of the device", "C", "for D-21, D-22 and D-31"),
                ("31 Kind of order", "C", "for D-21 and D-22"),
                ("52 PIN block", "C", "when a PIN was entered"),
                ("63 Result of the confirmation", "C", "for D-21, D-22 above € 40"),
            ],
        ),
        *h2("4.2 TRX-0043 Authorisation response"),
        *p(
            "The Issuer answers with a response code in field 39. Field 38 is present only when the code is R-00. An "
            "approval is valid for 7 days, for hotels and car rental for 30 days."
        ),
        *h2("4.3 TRX-0051 Refund advice"),
        *p(
            "The Acquirer tells the Issuer that the merchant gives money back. The advice refers to the purchase by field "
            "90 and must arrive within 180 days after it. The sum of all refunds must not exceed the amount of the purchase by more than "
            "10 %. The fee is found in the Fees Rulebook, section 4.1."
        ),
        *h2("4.4 TRX-0060 Reversal"),
        *p(
            "The Acquirer takes back an authorisation request that was not answered in time or that the terminal could not "
            "complete. A reversal is never declined. It must be sent within 24 hours."
        ),
        *h2("4.5 TRX-0071 Registration of a device"),
        *p("The Token Requestor registers, changes or removes a device. Field 48 carries the action code:"),
        *table(
            "Table 5 Action codes of TRX-0071",
            [
                ("Action", "Meaning", "Confirmation by the cardholder"),
                ("1", "Register a device", "required"),
                ("2", "Change the name of the device", "not required"),
                ("3", "Remove the device", ""),
                ("4", "Change the postal address of an Appliance", "required"),
            ],
            (24, 72, 64),
            spans=((2, 2, 2, 3),),
        ),
        *h1("5 Codes"),
        *h2("5.1 Response codes"),
        *table(
            "Table 6 Response codes",
            [
                ("Code", "Meaning", "Repeat?", "What the terminal shows"),
                ("R-00", "Approved", "–", "Approved"),
                ("R-05", "Declined, no reason given", "no", "Declined"),
                ("R-14", "Payment Token unknown", "no", "Use another device"),
                ("R-51", "Not enough money on the account", "no", "Declined"),
                ("R-54", "Payment Token no longer valid", "no", "Use another device"),
                ("R-55", "Wrong PIN", "yes, 2 times", "Wrong PIN"),
                ("R-57", "Device Category missing or not admitted", "no", "Use another device"),
                ("R-61", "Limit exceeded", "no", "Declined"),
                ("R-65", "Verification required", "yes, once", "Enter PIN"),
                ("R-68", "Confirmation on a Second Device timed out", "yes, once", "Confirm on your phone"),
                ("R-91", "Issuer not reachable", "yes, 3 times", "Please wait"),
                ("R-96", "Error in the system", "yes, 3 times", "Please wait"),
            ],
            (20, 66, 28, 46),
        ),
        *h2("5.2 Error codes"),
        *p("An error code is answered when the message cannot be read. It is sent in field 48 with TRX-0001."),
        *table(
            "Table 7 Error codes",
            [
                ("Code", "Cause", "Remedy"),
                ("E-101", "Length does not fit the message", "Send again; after 3 times close the connection."),
                ("E-102", "Bitmap names a field that is missing", "Correct the message."),
                ("E-103", "Field with a sign that its format forbids", "Correct the field named in tag 05."),
                ("E-104", "Message longer than 4,096 bytes", "Shorten field 48."),
                ("E-107", "Authentication code wrong", "Renew the key with key exchange; do not send again before."),
                ("E-110", "Message code not in use", "See Table 3."),
            ],
            (20, 62, 78),
        ),
        *h2("5.3 Processing codes"),
        *bullets(
            (
                "000000 purchase;",
                "010000 cash withdrawal;",
                "200000 refund;",
                "300000 question about the balance, without fee.",
            )
        ),
        *h2("5.4 Way of entry"),
        *bullets(("051 chip with contact;", "071 contactless;", "081 order by an Appliance;", "091 order by a car.")),
        *h1("6 Sample message"),
        *p(
            "A refrigerator orders groceries for € 36.00 in Belgium; the cardholder was not asked because the amount is not above "
            "€ 40. Blanks and line breaks are for reading only."
        ),
        *code(
            "TRX-0042\n"
            "  002  9876543210987654\n"
            "  003  000000\n"
            "  004  000000003600\n"
            "  007  20260714093015\n"
            "  011  004711\n"
            "  019  056\n"
            "  022  081\n"
            "  027  D-21\n"
            "  028  fridge in the kitchen\n"
            "  031  4\n"
            "  037  F7K20260001A\n"
            "  049  978\n"
            "  063  0\n"
            "  128  5C 1F 90 A2 77 0E D3 48"
        ),
        *p("The answer, received after 0.4 s:"),
        *code("TRX-0043\n  011  004711\n  038  8XQ41B\n  039  R-00\n  128  A0 44 1B 6E 92 C7 3D 05"),
    ]
