"""The Acceptance Devices Rulebook of the made-up payment scheme."""

# ruff: noqa: E501 (printed sentences and table rows stay on one line)
from __future__ import annotations

from datetime import date

from typeset import Cover, Story, bullets, h1, h2, items, p, rulebook, table

SCHEME = "Farrowmere Pay"
COLOUR = "#0f5c63"
NOTICE = (
    "This rulebook is binding on every Member of the scheme. It is published in English only; a translation has no "
    "standing. Where this rulebook and a bulletin differ, the later of the two prevails.",
    "Farrowmere Pay does not exist. Names, fees, limits and codes are invented, for showing and testing software.",
)


def build() -> bytes:
    cover = Cover(
        scheme=SCHEME,
        title="Acceptance Devices Rulebook",
        revision=5,
        in_force=date(2026, 3, 1),
        supersedes="Supersedes revision 4 of 1 March 2025.",
        changes=(
            ("3", "1 March 2024", "First edition with wearables."),
            ("4", "1 March 2025", "Garments admitted (section 3.4). Time-outs moved to section 4.2."),
            ("5", "1 March 2026", "Household appliances admitted (section 3.3). Appendix A renumbered."),
        ),
        notice=NOTICE,
        colour=COLOUR,
    )
    return rulebook(cover, body())


def body() -> Story:
    return [
        *h1("1 Introduction"),
        *h2("1.1 Purpose and scope"),
        *p(
            "This rulebook says with which devices a cardholder may pay in the Farrowmere Pay scheme, what each device "
            "must be able to do, and how a device is certified. It applies to Issuers, Acquirers, Device Makers and "
            "Token Requestors. It does not apply to terminals of merchants{1}, for which the Acquirer answers alone.",
            ("1", "Terminals are covered by the Terminal Handbook, which is given to Acquirers on request."),
        ),
        *p(
            "A device that is not named in section 3.1 is not admitted, whatever its technical abilities. A Member that "
            "wants to have a new kind of device admitted sends a proposal to the Device Board; the Device Board decides "
            "within 120 days."
        ),
        *h2("1.2 How this rulebook relates to the others"),
        *p(
            "Fees that follow from the use of a device are found in the Fees Rulebook, section 4.3; fees for "
            "certification in the Fees Rulebook, section 5.1. The messages that a device sends or causes are described "
            "in the Message Specifications, in particular section 4.1 (TRX-0042) and section 4.5 (TRX-0071)."
        ),
        *p(
            "If this rulebook and the Fees Rulebook contradict each other about an amount, the Fees Rulebook prevails. "
            "If this rulebook and the Message Specifications contradict each other about a time-out, this rulebook "
            "prevails."
        ),
        *h2("1.3 Words that bind"),
        *p(
            "<i>Must</i> marks an obligation. <i>Should</i> marks a recommendation; a Member that does not follow it "
            "writes down why and keeps the note for 5 years. <i>May</i> marks a permission."
        ),
        *h1("2 Definitions"),
        *p("Words with a capital letter have the meaning of Table 1 in all rulebooks of the scheme."),
        *table(
            "Table 1 Definitions",
            [
                ("Term", "Meaning"),
                (
                    "Acquirer",
                    "The Member that has a contract with the merchant and sends its transactions into the scheme.",
                ),
                (
                    "Appliance",
                    "A device that is made for use in one household and is connected to mains power: a refrigerator, a washing machine, a coffee machine.",
                ),
                (
                    "Cardholder Verification",
                    "The step by which a cardholder shows that the device is theirs to use: PIN, fingerprint, face, or confirmation on a second device.",
                ),
                ("Device Board", "The committee of five Members that admits devices and decides on certificates."),
                (
                    "Device Register",
                    "The list, kept by the scheme, of all certified device models and of their Device Category.",
                ),
                ("Issuer", "The Member that has a contract with the cardholder and answers for the account."),
                (
                    "Passive Wearable",
                    "A device without a battery that is worn on the body or on clothing: a ring, a pair of cufflinks, a garment.",
                ),
                (
                    "Payment Token",
                    "A number that stands for the card number, is valid in one device only, and is replaced at least every 24 months.",
                ),
                (
                    "Second Device",
                    "A mobile phone or watch of the same cardholder, on which a request of another device is confirmed.",
                ),
                (
                    "Token Requestor",
                    "The company that asks the Issuer for a Payment Token on behalf of the cardholder.",
                ),
            ],
            (38, 122),
            breakable=True,
        ),
        *h1("3 Devices a cardholder may pay with"),
        *h2("3.1 Admitted devices"),
        *p(
            "A cardholder may pay with each of the following devices, provided that the model is listed in the Device "
            "Register and that the device holds a valid Payment Token:"
        ),
        *items(
            (
                "a card of plastic, metal or wood with a contact chip, a contactless antenna or both;",
                "a mobile phone with a secure element or with host card emulation;",
                "a watch or a bracelet with its own battery;",
                "a ring or a pair of cufflinks with a contactless chip, under the conditions of section 3.4;",
                "a garment, such as a jacket or a glove, with a woven antenna, under the conditions of section 3.4;",
                "a refrigerator or another Appliance that orders goods for the household, under the conditions of section 3.3;",
                "a car, for fuel, charging, parking and tolls, under the conditions of section 3.5;",
                "a key fob that was handed out by the Issuer.",
            )
        ),
        *p(
            "The Device Category that belongs to each entry is given in Appendix A. A cardholder may register at most "
            "12 devices on one account; the Issuer may set a lower number."
        ),
        *h2("3.2 Limits"),
        *p(
            "Table 2 gives the limits that an Issuer must apply. An Issuer may set lower limits, never higher ones. "
            "All amounts are in euro; for other currencies the Issuer converts at the rate of the day before."
        ),
        *table(
            "Table 2 Limits by device",
            [
                ("Device", "Limit without verification", "", "Limit with verification", ""),
                ("", "per payment", "in total¹)", "per payment", "per day"),
                ("Card", "€ 50", "€ 150", "none²)", "none²)"),
                ("Mobile phone", "not allowed", "", "none²)", "none²)"),
                ("Watch or bracelet", "€ 50", "€ 200", "€ 1,000", "€ 2,500"),
                ("Ring or cufflinks", "€ 50", "€ 100", "€ 250", "€ 500"),
                ("Garment", "€ 25", "€ 75", "€ 250", "€ 500"),
                ("Refrigerator or other Appliance", "€ 40", "€ 120", "€ 150", "€ 300"),
                ("Car", "not allowed", "", "€ 200", "€ 400"),
            ],
            (48, 28, 28, 28, 28),
            head=2,
            spans=((0, 0, 0, 1), (1, 0, 2, 0), (3, 0, 4, 0), (1, 3, 2, 3), (1, 8, 2, 8)),
            right=(1, 2, 3, 4),
            notes=(
                "¹) Sum of all payments without verification since the last payment with verification.",
                "²) The scheme sets no limit; the limit that Issuer and cardholder agreed applies.",
            ),
        ),
        *h2("3.3 Household appliances"),
        *p("A refrigerator or another Appliance may start a payment only if all of these conditions are met:"),
        *items(
            (
                "the Appliance is registered to one account and one postal address (message TRX-0071);",
                "every payment above € 40 is confirmed by the cardholder on a Second Device within 10 minutes;",
                "the goods are delivered to the registered postal address;",
                "the Appliance orders from no more than 8 merchants, each of which the cardholder approved beforehand;",
                "the Appliance stops paying when it has been without contact to the Token Requestor for 72 hours.",
            )
        ),
        *p(
            "A payment by an Appliance is always a purchase; an Appliance must not start a cash withdrawal or a transfer "
            "to another person. The reduced fee for such payments{2} is found in the Fees Rulebook, section 4.3.",
            (
                "2",
                "An order that repeats every week is charged under the Fees Rulebook, section 4.4, once that section is in force.",
            ),
        ),
        *h2("3.4 Passive wearables and garments"),
        *p(
            "A Passive Wearable has no display and no button. It may be used for contactless payments only. After 5 "
            "consecutive payments without Cardholder Verification, or when the total of Table 2 is reached, the next "
            "payment must be verified by PIN on the terminal."
        ),
        *p(
            "Cufflinks are registered and blocked as a pair: only one of the two carries the chip, and the maker marks "
            "it. A garment must still work after 30 washes at 60 °C and must carry a label that shows the place of the "
            "antenna. The reading distance of a garment must not exceed 2 cm.{3}",
            ("3", "For all other contactless devices section 4.1 allows a reading distance of up to 4 cm."),
        ),
        *h2("3.5 Cars"),
        *p(
            "A car may pay only while it stands still, with the exception of tolls. The driver confirms each payment on "
            "the screen of the car or on a Second Device. When the car has more than one registered driver, each driver "
            "has a Payment Token of their own, and the car asks whose it is to use."
        ),
        *h2("3.6 Devices that are not admitted"),
        *p("The following are not admitted, even if they carry a chip that a terminal can read:"),
        *bullets(
            (
                "implants under the skin of people or animals;",
                "devices that are shared by people who do not live in one household;",
                "toys, and any device sold for children under 12;",
                "stickers that can be taken off without being destroyed;",
                "drones and other devices that move by themselves, with the exception of cars.",
            )
        ),
        *h1("4 Requirements"),
        *h2("4.1 Radio and environment"),
        *p(
            "A contactless device works at 13.56 MHz ± 7 kHz. It must answer at every distance from 0 cm to 4 cm "
            "and at every field strength from 1.5 A/m to 7.5 A/m. The antenna is matched to 50 Ω ± 5 %. The device must "
            "work from −20 °C to +50 °C; an Appliance from +5 °C to +40 °C. The current in standby must be ≤ 15 µA for "
            "devices with a battery."
        ),
        *h2("4.2 Time-outs"),
        *p("A device and its Token Requestor must keep the time-outs of Table 3."),
        *table(
            "Table 3 Time-outs",
            [
                ("Step", "Time-out", "What happens then"),
                (
                    "Contactless exchange with the terminal",
                    "500 ms",
                    "The terminal asks to present the device again, at most 2 times.",
                ),
                ("Answer to an authorisation request (TRX-0042)", "12 s", "The Acquirer sends a reversal (TRX-0060)."),
                ("Confirmation on a Second Device", "10 min", "The payment is declined with response code R-68."),
                ("PIN entry on the terminal", "45 s", "The payment is cancelled; no message is sent."),
                ("Blocking of a lost device", "30 min", "The Issuer answers for all payments made afterwards."),
                (
                    "Contact of an Appliance with its Token Requestor",
                    "72 h",
                    "The Appliance stops paying until contact is restored.",
                ),
            ],
            (62, 24, 74),
            right=(1,),
        ),
        *h2("4.3 Cardholder verification"),
        *p(
            "A PIN has 4 to 8 digits. After 3 wrong entries the Payment Token is suspended; the Issuer may lift the "
            "suspension after it has identified the cardholder. Fingerprint and face must reach a false acceptance "
            "rate of at most 1 in 50,000 and are never the only means: a PIN must always be possible."
        ),
        *p(
            "A confirmation on a Second Device must show the name of the merchant, the amount and the name that the "
            "cardholder gave to the device, for example “fridge in the kitchen”."
        ),
        *h2("4.4 Keys and tokens"),
        *p(
            "Keys of a device have at least 256 bits on an elliptic curve. A Payment Token is replaced at least every 24 "
            "months and at once when the device was repaired. Session keys are derived anew for each payment and must "
            "not be stored."
        ),
        *h2("4.5 What the device says about itself"),
        *p(
            "The Device Category of Appendix A is sent in field 27 of each authorisation request, see Message "
            "Specifications, section 3.2. A missing or unknown Device Category is answered with response code R-57, see "
            "Message Specifications, section 5.1."
        ),
        *h1("5 Certification"),
        *h2("5.1 Levels"),
        *p("Each model of a device is certified at one of three levels. The level depends on what the device can do."),
        *table(
            "Table 4 Levels of certification",
            [
                ("Level", "For devices that", "Tests", "Valid for"),
                ("A", "verify the cardholder themselves", "radio, keys, verification, penetration test", "3 years"),
                (
                    "B",
                    "have a battery or mains power but leave verification to a Second Device",
                    "radio, keys, penetration test",
                    "3 years",
                ),
                ("C", "are Passive Wearables", "radio, keys", "5 years"),
            ],
            (16, 58, 58, 28),
        ),
        *p(
            "A refrigerator is certified at level B, cufflinks and garments at level C, mobile phones at level A. The fee "
            "for each level is found in the Fees Rulebook, section 5.1."
        ),
        *h2("5.2 Procedure"),
        *items(
            (
                "The Device Maker files the application with 6 samples and the radio test report.",
                "A laboratory that is listed by the scheme tests the samples within 40 working days.",
                "The Device Board decides within 15 working days after it received the report of the laboratory.",
                "The scheme enters the model in the Device Register on the next working day.",
            ),
            lambda n: f"{n + 1}.",
        ),
        *p(
            "A model that failed may be presented again after 20 working days. A third failure closes the application; "
            "the fee is not paid back."
        ),
        *h2("5.3 Renewal and withdrawal"),
        *p(
            "Renewal is applied for at least 90 days before the certificate ends. If a weakness becomes known that lets a "
            "stranger pay, the Device Board may suspend a certificate at once and for up to 60 days. Devices in use may "
            "go on paying during the suspension up to the limit without verification of Table 2."
        ),
        *h1("6 Loss, sale and disposal"),
        *h2("6.1 Loss"),
        *p(
            "The cardholder reports a lost device to the Issuer. The Issuer blocks the Payment Token within 30 minutes "
            "and confirms the time of blocking in writing. The cardholder answers for at most € 50 of payments made "
            "before the report; nothing is due for payments made after it."
        ),
        *h2("6.2 Sale of an appliance or a car"),
        *p(
            "Before an Appliance or a car changes hands, the owner must remove the Payment Token. A maker must offer a "
            "function that removes the token without the help of a workshop and that reports the removal (TRX-0071, "
            "action code 3) within 15 minutes."
        ),
        *h2("6.3 Disputes"),
        *p(
            "A cardholder may dispute a payment made by an Appliance within 90 days, and a payment made by any other "
            "device within 120 days. Fees for disputes are found in the Fees Rulebook, section 6.1."
        ),
        *h1("Appendix A Device categories"),
        *p("The code is sent in field 27 of TRX-0042."),
        *table(
            "Table A.1 Device categories",
            [
                ("Code", "Device", "Section", "Level"),
                ("D-01", "Card", "3.1 (a)", "A"),
                ("D-02", "Mobile phone", "3.1 (b)", "A"),
                ("D-03", "Watch or bracelet", "3.1 (c)", "A"),
                ("D-11", "Ring", "3.4", "C"),
                ("D-12", "Cufflinks", "3.4", "C"),
                ("D-13", "Garment", "3.4", "C"),
                ("D-21", "Refrigerator", "3.3", "B"),
                ("D-22", "Other Appliance", "3.3", "B"),
                ("D-31", "Car", "3.5", "B"),
                ("D-41", "Key fob", "3.1 (h)", "C"),
            ],
            (24, 60, 40, 36),
        ),
    ]
