"""The table of all statements: which function lowers which form."""

from __future__ import annotations

from plainchant.meaning.lowering.blocks import (
    lower_any_one_may,
    lower_by,
    lower_check,
    lower_choose,
    lower_decide,
    lower_draw,
    lower_for_each,
    lower_if,
)
from plainchant.meaning.lowering.context import Way
from plainchant.meaning.lowering.log import (
    lower_card_may_record,
    lower_cross_off,
    lower_cross_off_each,
    lower_leave_out,
    lower_list_some,
    lower_record,
    lower_tally,
)
from plainchant.meaning.lowering.sentences import lower_do, lower_happens, lower_instruct, lower_verb_use
from plainchant.meaning.lowering.things import (
    lower_change,
    lower_cost,
    lower_deal,
    lower_evenly,
    lower_holds,
    lower_move_each,
    lower_only_if,
    lower_remove_each,
    lower_transfer,
)
from plainchant.meaning.lowering.ways import (
    lower_card_may,
    lower_continue,
    lower_go_back,
    lower_go_on,
    lower_jump,
    lower_nothing,
    lower_over,
    lower_play,
)
from plainchant.text import tree as t

WAYS: dict[type[t.Statement], Way] = {
    t.Jump: lower_jump,
    t.SkipPart: lower_jump,
    t.ContinuePrinted: lower_continue,
    t.PlayScenario: lower_play,
    t.GoOn: lower_go_on,
    t.GoBack: lower_go_back,
    t.CardMay: lower_card_may,
    t.Over: lower_over,
    t.Nothing: lower_nothing,
    t.Record: lower_record,
    t.Tally: lower_tally,
    t.CrossOff: lower_cross_off,
    t.LeaveOut: lower_leave_out,
    t.CardMayRecord: lower_card_may_record,
    t.CrossOffEach: lower_cross_off_each,
    t.ListSome: lower_list_some,
    t.Transfer: lower_transfer,
    t.RemoveEach: lower_remove_each,
    t.MoveEach: lower_move_each,
    t.Cost: lower_cost,
    t.OnlyIf: lower_only_if,
    t.Holds: lower_holds,
    t.Change: lower_change,
    t.Deal: lower_deal,
    t.Evenly: lower_evenly,
    t.VerbUse: lower_verb_use,
    t.Do: lower_do,
    t.Instruct: lower_instruct,
    t.If: lower_if,
    t.Check: lower_check,
    t.By: lower_by,
    t.ForEach: lower_for_each,
    t.Decide: lower_decide,
    t.Choose: lower_choose,
    t.AnyOneMay: lower_any_one_may,
    t.Draw: lower_draw,
    t.Happens: lower_happens,
}
