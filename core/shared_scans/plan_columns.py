"""The columns that plans of chains are made on: what boards, and what a run writes."""

from __future__ import annotations

from typing import Any, NamedTuple


class Boarding(NamedTuple):
    """What arrives: single jobs, or batches of them. One entry each, by arrival.

    Attributes
    ----------
    arrival : seconds
    chain : entries of one chain share their scans
    length : slot-seconds of its scan for one job alone
    fraction : part of it that sharing jobs share
    sharing_jobs : number of jobs in it
    weight : for Smith's rule, the sum over its jobs
    lowest, highest : slots
    first_member : its jobs are ``due[first_member[i]:first_member[i + 1]]`` and so on, (entries + 1,)
    due, floor, factor : a member that completes at a time costs ``factor * max(time - due, floor)``
    first_step : of each member in the next two columns, (members + 1,)
    step_time, step_cost : by how much the cost of a member, before its factor, rises after a time
    """

    arrival: Any
    chain: Any
    length: Any
    fraction: Any
    sharing_jobs: Any
    weight: Any
    lowest: Any
    highest: Any
    first_member: Any
    due: Any
    floor: Any
    factor: Any
    first_step: Any
    step_time: Any
    step_cost: Any


class Progress(NamedTuple):
    """What a run writes; columns of entries by default.

    Attributes
    ----------
    active : the entries that scan, by chain, then arrival
    place : link of each active entry in its chain at the last plan, from 1
    order : positions in `active`, first served first
    placed : scratch of the orders
    best : the best order that was found
    set_work, set_cost, set_last : of each set of a few positions the work, what it costs in the best order,
        and which position comes last in that; (2 ** 10,)
    remaining : slot-seconds of scan that each entry still needs
    shared : how many jobs share the entry's subjob
    work, ratio, least, most : of the entry's subjob: slot-seconds, Smith's ratio, slots
    sum_work, sum_weight, sum_begin : scratch of the orders
    slots : slots of each position now
    finish : seconds
    piece_entry, piece_place, piece_shared : one row per stretch of constant slots
    piece_start, piece_end, piece_slots : likewise
    total : [slot-seconds used]
    """

    active: Any
    place: Any
    order: Any
    placed: Any
    best: Any
    set_work: Any
    set_cost: Any
    set_last: Any
    remaining: Any
    shared: Any
    work: Any
    ratio: Any
    least: Any
    most: Any
    sum_work: Any
    sum_weight: Any
    sum_begin: Any
    slots: Any
    finish: Any
    piece_entry: Any
    piece_place: Any
    piece_shared: Any
    piece_start: Any
    piece_end: Any
    piece_slots: Any
    total: Any
