"""The Fees Rulebook of the made-up payment scheme, in the revisions 2 and 3.

Revision 3 changes one fee (cross-border purchase, consumer card: 0.40 % became 0.35 %) and adds section 4.4. Nothing
else differs, so that a reader, a program or a test can find exactly that.
"""

# ruff: noqa: E501 (printed sentences and table rows stay on one line)
from __future__ import annotations

from datetime import date

from acceptance import COLOUR, NOTICE, SCHEME
from typeset import Cover, Story, bullets, h1, h2, items, p, rulebook, table

REMARK = (
    "The fee covers the work of the scheme only, not that of the laboratory. It is due when the application is filed and "
    "is not paid back when the application is withdrawn or the model fails. A model that differs from a certified one in "
    "colour, housing or name only is entered in the Device Register free of charge, as long as antenna, chip and software "
    "are the same. Members that maintain more than 25 certified models pay half of the fee from the 26th model on. Fees of "
    "a suspended certificate are not reduced. For Appliances the fee includes the check of the confirmation on a Second "
    "Device (Acceptance Devices Rulebook, section 3.3)."
)

SERVICES = (
    ("Clearing", "Clearing record, domestic", "record", "€ 0.004"),
    ("Clearing", "Clearing record, cross-border", "record", "€ 0.009"),
    ("Clearing", "Late clearing record (after 7 days)", "record", "€ 0.050"),
    ("Clearing", "Corrected clearing file", "file", "€ 75.00"),
    ("Authorisation", "Authorisation request (TRX-0042)", "message", "€ 0.011"),
    ("Authorisation", "Stand-in answer by the scheme", "message", "€ 0.035"),
    ("Authorisation", "Reversal (TRX-0060)", "message", "€ 0.006"),
    ("Authorisation", "Repeated request after time-out", "message", "€ 0.020"),
    ("Authorisation", "Request without Device Category", "message", "€ 0.100"),
    ("Tokens", "New Payment Token", "token", "€ 0.120"),
    ("Tokens", "Replacement of a Payment Token", "token", "€ 0.080"),
    ("Tokens", "Removal of a Payment Token", "token", "free"),
    ("Tokens", "Payment Token kept, per month", "token", "€ 0.010"),
    ("Devices", "Registration of a device (TRX-0071)", "message", "€ 0.060"),
    ("Devices", "Confirmation on a Second Device", "request", "€ 0.015"),
    ("Devices", "Entry in the Device Register", "model", "€ 150.00"),
    ("Devices", "Copy of a certificate", "copy", "€ 40.00"),
    ("Refunds", "Refund advice (TRX-0051)", "message", "€ 0.010"),
    ("Refunds", "Refund above the amount of the purchase", "message", "€ 2.500"),
    ("Reports", "Daily settlement report", "month", "€ 90.00"),
    ("Reports", "Monthly fee statement", "month", "free"),
    ("Reports", "Statement on paper", "statement", "€ 12.00"),
    ("Reports", "Report on fraud by device", "quarter", "€ 250.00"),
    ("Connection", "Connection, first data centre", "month", "€ 1,200.00"),
    ("Connection", "Connection, each further data centre", "month", "€ 600.00"),
    ("Connection", "Test environment", "month", "€ 300.00"),
    ("Connection", "Certified test of a new connection", "test", "€ 4,000.00"),
    ("Connection", "Change of an address or key", "change", "€ 180.00"),
    ("Membership", "Yearly fee, Issuer", "year", "€ 8,000.00"),
    ("Membership", "Yearly fee, Acquirer", "year", "€ 9,500.00"),
    ("Membership", "Yearly fee, Token Requestor", "year", "€ 3,500.00"),
    ("Membership", "Admission", "once", "€ 15,000.00"),
)


def build(revision: int) -> bytes:
    if revision not in (2, 3):
        raise ValueError(f"the Fees Rulebook exists in revision 2 and 3, not {revision}")
    changes = [
        ("1", "1 July 2024", "First edition."),
        ("2", "1 July 2025", "Fees for Appliances added (section 4.3)."),
        ("3", "1 July 2026", "Cross-border purchase with a consumer card lowered (Table 1). Section 4.4 added."),
    ]
    cover = Cover(
        scheme=SCHEME,
        title="Fees Rulebook",
        revision=revision,
        in_force=date(2023 + revision, 7, 1),
        supersedes=f"Supersedes revision {revision - 1} of 1 July {2022 + revision}.",
        changes=tuple(changes[:revision]),
        notice=NOTICE,
        colour=COLOUR,
    )
    return rulebook(cover, body(revision))


def body(revision: int) -> Story:
    consumer = "0.35 %" if revision >= 3 else "0.40 %"
    return [
        *h1("1 Introduction"),
        *h2("1.1 Purpose"),
        *p(
            "This rulebook lists every fee that Members of Farrowmere Pay owe to each other or to the scheme. A fee that "
            "is not listed here is not owed. What Members charge to cardholders and merchants is theirs to decide and "
            "is not regulated here.{1}",
            ("1", "National law may set a limit. Members follow the law of the country of the merchant."),
        ),
        *h2("1.2 How to read the tables"),
        *p(
            "Percentages are taken from the amount of the transaction in euro. Amounts are without value added tax. "
            "Where a cell of a table extends over several rows or columns, its content holds for all of them."
        ),
        *h2("1.3 Related rulebooks"),
        *p(
            "Which devices are admitted is laid down in the Acceptance Devices Rulebook, section 3.1. The messages to "
            "which fees are bound are described in the Message Specifications, section 4."
        ),
        *h1("2 Definitions"),
        *table(
            "",
            [
                ("Term", "Meaning"),
                ("Domestic", "Issuer and merchant are in the same country."),
                ("Cross-border", "Issuer and merchant are in different countries, whatever the currency."),
                ("Consumer card", "An account of a natural person who does not act in the course of business."),
                ("Commercial card", "Every account that is not a consumer account."),
                ("Purchase", "Payment for goods or services."),
                ("Cash withdrawal", "Payment of notes by a machine or at a counter."),
                ("Refund", "Return of all or part of the amount of an earlier purchase to the cardholder."),
                ("Interchange fee", "Fee that the Acquirer owes to the Issuer for a transaction."),
                ("Scheme fee", "Fee that a Member owes to the scheme."),
            ],
            (38, 122),
        ),
        *h1("3 General rules"),
        *h2("3.1 Who pays"),
        *p(
            "Interchange fees of purchases are owed by the Acquirer to the Issuer. For cash withdrawals it is the other "
            "way round: the Issuer owes the fee to the Acquirer. For refunds the Issuer gives nothing back; the fee for "
            "a refund is owed by the Acquirer in addition."
        ),
        *h2("3.2 Rounding"),
        *p(
            "A fee is computed for each transaction and rounded to a hundredth of a cent; the sum of a day is rounded to "
            "a cent, half a cent upwards."
        ),
        *h2("3.3 Invoices"),
        *p(
            "The scheme sends an invoice on the 5th working day of each month. It is due 14 days later. For late payment "
            "interest of 8 % a year is owed from the first day. Objections are raised within 60 days after the date of "
            "the invoice."
        ),
        *h1("4 Transaction fees"),
        *h2("4.1 Domestic and cross-border transactions"),
        *p("Table 1 gives the interchange fee for each kind of transaction."),
        *table(
            "Table 1 Interchange fees",
            [
                ("Region", "Transaction", "Fee by card", "", "Refund"),
                ("", "", "Consumer", "Commercial", ""),
                ("Domestic", "Purchase", "0.20 %", "0.90 %", "0.05 %,<br/>at least € 0.02*)"),
                ("", "Cash withdrawal", "€ 0.45", "€ 0.75", ""),
                ("Cross-border", "Purchase", consumer, "1.40 %", ""),
                ("", "Cash withdrawal", "€ 0.65 + 0.10 %", "€ 1.10 + 0.10 %", ""),
            ],
            (28, 34, 32, 32, 34),
            head=2,
            spans=((0, 0, 0, 1), (1, 0, 1, 1), (2, 0, 3, 0), (4, 0, 4, 1), (0, 2, 0, 3), (0, 4, 0, 5), (4, 2, 4, 5)),
            right=(2, 3),
            notes=("*) A refund of a cash withdrawal does not exist; the fee applies to refunds of purchases.",),
        ),
        *p(
            "A domestic purchase of € 80.00 with a consumer card thus costs the Acquirer € 0.16. Whether a transaction is "
            "domestic is decided by the country in field 19 of TRX-0042, not by the currency."
        ),
        *h2("4.2 Cross-border supplement"),
        *p(
            "If the currency of the transaction is not the currency of the account, a supplement{2} of 0.15 % is owed on top of the fee "
            "of Table 1. The supplement is never below € 0.03 and never above € 1.50. It is not owed for refunds.",
            ("2", "The supplement is a scheme fee: the Issuer owes it, not the Acquirer."),
        ),
        *h2("4.3 Fees by device"),
        *p(
            "Table 2 changes the fee of Table 1 for purchases with certain devices. The conditions for each device are found "
            "in the Acceptance Devices Rulebook, section 3.3 (Appliances) and section 3.4 (wearables and garments)."
        ),
        *table(
            "Table 2 Change of the interchange fee by device",
            [
                ("Device", "Category", "Change", "At least"),
                ("Card, mobile phone, watch", "D-01 to D-03", "none", "–"),
                ("Ring, cufflinks", "D-11, D-12", "+ 0.02 %", "€ 0.010"),
                ("Garment", "D-13", "+ 0.04 %", "€ 0.015"),
                ("Refrigerator", "D-21", "− 0.05 %", "€ 0.020"),
                ("Other Appliance", "D-22", "− 0.03 %", "€ 0.020"),
                ("Car", "D-31", "+ 0.01 %", "€ 0.025"),
            ],
            (58, 36, 34, 32),
            rules="three",
            right=(2, 3),
        ),
        *(
            [
                *h2("4.4 Repeated orders by appliances"),
                *p(
                    "An order that an Appliance repeats at least once a month with the same merchant costs € 0.03 per "
                    "payment instead of the fee of Table 1 and Table 2, if the amount does not exceed € 40. The first order "
                    "of a series is charged in full. The Acquirer marks the payment with value 4 in field 31 (Message "
                    "Specifications, section 3.2)."
                ),
                *p(
                    "A series ends after 13 months. The cardholder then confirms it anew on a Second Device, and the first "
                    "payment afterwards is again charged in full."
                ),
            ]
            if revision >= 3
            else []
        ),
        *h1("5 Fees for certification and services"),
        *h2("5.1 Certification"),
        *p("The levels are explained in the Acceptance Devices Rulebook, section 5.1."),
        *table(
            "Table 3 Fees for certification",
            [
                ("Level", "First", "Renewal", "Remark"),
                ("A", "€ 4,500", "€ 2,250", REMARK),
                ("B", "€ 2,800", "€ 1,400", ""),
                ("C", "€ 950", "€ 475", ""),
                ("Change of software", "€ 600", "–", ""),
                ("Extension by one year", "–", "€ 350", ""),
            ],
            (34, 21, 21, 84),
            spans=((3, 1, 3, 5),),
            right=(1, 2),
            pad=5,
        ),
        *h2("5.2 Services"),
        *p("Table 4 lists the fees for services of the scheme. They are owed by the Member that uses the service."),
        *table(
            "Table 4 Fees for services",
            [
                ("Code", "Group", "Service", "Unit", "Fee"),
                *((f"SVC-{n:03}", *service) for n, service in enumerate(SERVICES, 101)),
            ],
            (22, 29, 63, 22, 24),
            right=(4,),
            breakable=True,
        ),
        *h2("5.3 Discounts"),
        *p(
            "A Member that sends more than 40 million authorisation requests in a calendar year pays 15 % less for the "
            "services SVC-105 to SVC-108 in the following year. Discounts are not added together."
        ),
        *h1("6 Disputes and breaches"),
        *h2("6.1 Disputes"),
        *p(
            "The Member that loses a dispute owes the fee. A dispute that is settled between the Members before the "
            "scheme decides is free of charge."
        ),
        *table(
            "Table 5 Fees for disputes",
            [
                ("Stage", "Time", "Fee"),
                ("Chargeback", "120 days", "€ 15"),
                ("Second presentment", "45 days", "€ 15"),
                ("Decision by the scheme", "30 days", "€ 250"),
                ("Appeal", "20 days", "€ 500"),
            ],
            (70, 45, 45),
            right=(1, 2),
        ),
        *h2("6.2 Breaches"),
        *p("A Member that breaks a rule owes the amounts of Table 6 for each month in which the breach lasts."),
        *table(
            "Table 6 Amounts for breaches",
            [
                ("Breach", "Month", "", ""),
                ("", "first", "second", "each further"),
                ("Device that is not certified", "€ 5,000", "€ 10,000", "€ 25,000"),
                ("Lost device blocked too late", "€ 1,000", "€ 2,000", "€ 4,000"),
                ("Time-out of an answer in more than 0.5 % of requests", "warning", "€ 3,000", "€ 6,000"),
            ],
            (76, 28, 28, 28),
            head=2,
            spans=((0, 0, 0, 1), (1, 0, 3, 0)),
            right=(1, 2, 3),
        ),
        *h1("7 Changes"),
        *p(
            "The scheme announces a change of a fee at least 90 days before it takes effect. Within that time a Member may:"
        ),
        *items(
            (
                "object, if the change raises its yearly fees by more than 10 %;",
                "leave the scheme at the date of the change without the notice period of 6 months.",
            )
        ),
        *p("A change that lowers a fee may take effect after 10 days."),
        *h1("Appendix A Worked examples"),
        *bullets(
            (
                "Domestic purchase of € 250.00, commercial card: 0.90 % of € 250.00 = € 2.25.",
                "Domestic purchase of € 36.00 by a refrigerator, consumer card: 0.20 % − 0.05 % = 0.15 % of € 36.00 = € 0.054.",
                "Refund of € 30.00: 0.05 % would be € 0.015; the least fee of € 0.02 applies.",
            )
        ),
    ]
