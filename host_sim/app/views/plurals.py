# SPDX-License-Identifier: MIT
"""Chooses the plural form for a number by a language's rules, which are in Unicode CLDR notation.

Rules and operands: UTS #35, "Language plural rules", https://cldr.unicode.org.
"""

import re

_RELATION = re.compile(r"([nivwft])(?: % (\d+))? (!?=) ([\d.,]+)")


def category(rules: dict[str, str], number: int | float) -> str:
    """Return the first plural form, such as `one` or `few`, whose rule applies to a number, or
    else `other`.

    rules: {form: rule}, with rules like `i = 1 and v = 0`
    """
    whole, _, decimals = str(abs(number)).partition(".")
    short = decimals.rstrip("0")
    operands: dict[str, int | float] = {
        "n": abs(number),
        "i": int(whole),
        "v": len(decimals),
        "w": len(short),
        "f": int(decimals or 0),
        "t": int(short or 0),
    }
    for form, rule in rules.items():
        if any(
            all(_holds(relation, operands) for relation in part.split(" and "))
            for part in rule.split(" or ")
        ):
            return form
    return "other"


def _holds(relation: str, operands: dict[str, int | float]) -> bool:
    found = _RELATION.fullmatch(relation.strip())
    if not found:
        raise ValueError("not a plural rule of CLDR: %s" % relation)
    operand, divisor, sign, ranges = found.groups()
    value = operands[operand] % int(divisor) if divisor else operands[operand]
    return any(_within(value, one) for one in ranges.split(",")) == (sign == "=")


def _within(value: int | float, ends: str) -> bool:
    low, _, high = ends.partition("..")
    return value == int(value) and int(low) <= value <= int(high or low)
