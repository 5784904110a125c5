"""The referee's procedure: disputes, what both players must agree on, and why that is not possible now."""

from __future__ import annotations

from companion.texts.catalogue import marked

REMEDIES = {
    "remedy.corrected": marked("the play is put right"),
    "remedy.stands": marked("the play stands"),
    "remedy.overruled": marked("the referee is overruled"),
    "remedy.takeback": marked("the last turn is taken back"),
    "remedy.position": marked("the board counts as it stands"),
    "remedy.reading": marked("the players say what stands there"),
    "remedy.both": marked("both moves count"),
    "remedy.set_up": marked("the set-up was wrong"),
    "remedy.resignation": marked("the game is resigned"),
    "remedy.draw": marked("the game is drawn"),
}
"""What the players may agree on, by `companion.game.Remedy`: ends of sentences."""

AGREEMENTS = {
    "proposed": marked("Proposed: {what}."),
    "proposed.by": marked("{player} proposes: {what}."),
    "agreed": marked("Agreed: {what}."),
    "agreed.put_back": marked("Put the board back as it was before that turn."),
    "declined": marked("There is no agreement: {then}."),
    "declined.terse": marked("Not agreed."),
    "declined.by": marked("{player} does not agree: {then}."),
    "declined.dispute": marked("the dispute goes on"),
    "declined.game": marked("everything stays as it was"),
    "agrees": marked("{player} taps Roll to agree."),
    "agrees.other": marked("One player agrees; the other taps Roll to agree."),
    "agrees.each": marked("Each player taps Roll to agree."),
    "hint_declines": marked("Tap Hint for no."),
    "reading.asked": marked("Is this right: {reading}?"),
    "reading.next": marked("Tap Hint for the next one."),
    "reading.none": marked("None of them: lay the checkers so that they can be told apart, or tap Referee."),
    "reading.not_asked": marked("That is no longer possible: the board has changed."),
    "referee.else": marked("Tap Referee for something else."),
    "referee.dispute": marked("Tap Referee to open a dispute."),
    "dispute.called": marked("The referee was called."),
    "dispute.called_by": marked("{player} called the referee."),
    "dispute.what_now": marked(
        "Choose a ruling on the page. On the panel, tap Roll to propose that it is put right, or Referee for the "
        "other rulings."
    ),
}
"""The proposal, who agrees and who does not."""

NEXT = {
    "then.rolls": marked("{player} is to roll"),
    "then.rolls.terse": marked("{player} rolls"),
    "then.answers": marked("{player} takes or passes"),
    "then.moves": marked("{player} is to move"),
    "then.moves.terse": marked("{player} moves"),
    "then.has": marked("{player} has {dice} to play"),
    "then.has.terse": marked("{player}: {dice}"),
    "then.again": marked("{player} plays {dice} again"),
    "then.again.move": marked("{player} plays again"),
    "then.from_it": marked("{player} plays {dice} from there"),
    "then.from_it.move": marked("{player} plays from there"),
}
"""What follows: ends of sentences, and sentences that say whose turn it is."""

OFFERS = {
    "offer.and": marked("{what}, and {then}"),
    "offer.that_is": marked("{what} – {then}"),
    "offer.board": marked("the board is put right, as the game has it"),
    "offer.counts": marked("what stood there counts"),
    "offer.counts.play": marked("what stood there counts as {player}’s play"),
    "offer.not_legal": marked("the play is not legal"),
    "offer.is_play": marked("what stood there is a legal play by {player}"),
    "offer.play_was": marked("the play was {play}"),
    "offer.end": marked("the end of the game is taken back, and it goes on"),
    "offer.takeback": marked("{player}’s {play} is taken back"),
    "offer.takeback.turn": marked("{player}’s turn is taken back"),
    "offer.entered": marked("the position that was entered counts"),
    "offer.entered.at": marked("the position that was entered counts; it differs from the game on {places}"),
    "offer.set_up": marked("the game is begun again from the right set-up, and nobody scores"),
    "offer.not_certain": marked("what stands on the board is not certain"),
    "offer.no_turn": marked("no turn has been played in this game"),
    "offer.cube_turned": marked("the cube was turned since that turn"),
    "offer.nothing_moved": marked("nothing was moved"),
    "offer.unchanged": marked("the board stands as the game has it"),
    "unsure.places": marked("the camera is not certain of {places}"),
    "unsure.cannot_be": marked("what stands there cannot be: {why}"),
    "position.cannot_be": marked("That position cannot be: {why}."),
    "position.king": marked("a king has left its square, and the camera tells no kings from men"),
    "position.count": marked("{player} has {now} checkers in it, expected {expected}"),
    "position.count.most": marked("{player} has {now} checkers in it, expected at most {expected}"),
    "position.no_piece": marked("{player} has no piece left in it; whoever has lost resigns"),
    "position.stack": marked("{count} checkers stand on point {point}, and under the sheet {sheet} at most {most} may"),
}
"""What happens if both agree, and why they cannot: ends of sentences."""

REFUSED = {
    "ruling.nothing": marked("There is nothing to rule on: {why}."),
    "ruling.nothing_yet": marked("There is nothing to rule on yet: no turn has begun."),
    "ruling.two_taps": marked("Two taps in quick succession count as one player’s: the other player taps Roll too."),
    "ruling.just_proposed": marked("That was proposed only just now: read it, then tap Roll to agree."),
    "ruling.agrees_already": marked("{player} agrees already: now it is for {other} to say."),
    "ruling.nothing_proposed": marked("Nothing is proposed: tap Referee to go through what you may agree on."),
    "ruling.settled": marked("That dispute is settled already."),
    "ruling.not_proposed": marked("That is no longer proposed."),
    "ruling.no_dispute": marked("There is no dispute to rule on: tap Referee first."),
    "ruling.no_play": marked("{play} is no legal play of this roll: choose one of the list."),
    "ruling.not_possible": marked("That cannot be agreed on: {why}."),
    "ruling.proposed": marked("First answer what is proposed: tap Roll to agree, or Hint for no."),
}
"""Why a tap or a ruling changes nothing."""

ENDING_OFFERS = {
    "resigns.single": marked("{player} offers to resign a single game, {points}."),
    "resigns.gammon": marked("{player} offers to resign a gammon, {points}."),
    "resigns.backgammon": marked("{player} offers to resign a backgammon, {points}."),
    "resigns.win": marked("{player} offers to resign, {points}."),
    "resigns.game": marked("{player} offers to resign the game."),
    "draw.offered": marked("A draw is offered."),
    "draw.offered_by": marked("{player} offers a draw."),
    "accepts": marked("{player} taps Roll to accept, or Hint to refuse."),
    "refused": marked("The offer is off: {then}."),
    "refused.terse": marked("The offer is off."),
    "refused.by": marked("{player} refuses: {then}."),
    "withdrawn": marked("{player} withdraws that: {then}."),
}
"""Resignations and draws that are offered, and the answer."""

TEXTS = {**REMEDIES, **ENDING_OFFERS, **AGREEMENTS, **NEXT, **OFFERS, **REFUSED}
