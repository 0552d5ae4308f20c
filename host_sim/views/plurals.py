# SPDX-License-Identifier: MIT
"""Which plural form a number takes, by a language's rules as Unicode's CLDR writes them.

Rules and operands are those of UTS #35, "Language plural rules": https://cldr.unicode.org.
"""

import re

_RELATION = re.compile(r"([nivwft])(?: % (\d+))? (!?=) ([\d.,]+)")


def category(rules, number):
    """Return the form, `one`, `few` ...: the first of the rules that number fits, else `other`.

    rules: {form: rule}, `i = 1 and v = 0`; number: an int or a decimal like 25.5.
    """
    whole, _, decimals = str(abs(number)).partition(".")
    short = decimals.rstrip("0")
    operands = {
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


def _holds(relation, operands):
    found = _RELATION.fullmatch(relation.strip())
    if not found:
        raise ValueError("no rule of CLDR's plurals: %s" % relation)
    operand, divisor, sign, ranges = found.groups()
    value = operands[operand] % int(divisor) if divisor else operands[operand]
    return any(_within(value, one) for one in ranges.split(",")) == (sign == "=")


def _within(value, ends):
    low, _, high = ends.partition("..")
    return value == int(value) and int(low) <= value <= int(high or low)
