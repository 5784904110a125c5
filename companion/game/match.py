"""Score, stake, doubling cube and Crawford game of a match.

The methods of `Match` return the match after an action and raise MatchError for one that is not allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core import BoardsideError, Message, Refusal, Side, message

LARGEST_CUBE = 1024
"""The largest value of the cube."""


class MatchError(BoardsideError):
    """An action that the rules of the cube or of the match do not allow."""


class CubeRefusal(MatchError, Refusal):
    """A double, a beaver or an answer that is not possible now."""


@dataclass(frozen=True, slots=True)
class Match:
    """The state of a match, or of a series of games without a set end.

    Attributes:
        length: points that win the match; 0 for a series.
        score: (White's, Black's) points.
        stake: value of a point in a series, in any currency; 0 if nothing is played for.
        cube: the cube's value.
        owner: the player who owns the cube; None while it is in the middle.
        offered_by: the player whose double is not answered yet; None if there is none.
        has_cube: whether there is a doubling cube.
        jacoby: whether gammons in a series count only once the cube was turned.
        crawford: whether the first game after a player comes within one point of winning is played without the cube.
        win_points: points for winning a single game.
        draw_points: points of each player for a draw.
        change_colours: whether the players change colours after every game that counts; a player's points go with them.
        colours_due: whether the players change colours before the next game.
        colours_changed: whether each player now has the colour that the other had in the first game.
        names: the names that the players asked for, White's of the first game first; empty if they did not.
        automatic_doubles: most automatic doubles (ties of the opening roll) in a game of a series; the cube stays in
            the middle.
        crawford_over: whether the Crawford game has been played.
        beavers: whether in a series a doubled player may redouble at once and keep the cube.
        beavered: whether the double that is not answered yet is a beaver.
    """

    length: int = 0
    score: tuple[int, int] = (0, 0)
    stake: float = 0.0
    cube: int = 1
    owner: Side | None = None
    offered_by: Side | None = None
    has_cube: bool = True
    jacoby: bool = False
    crawford: bool = True
    crawford_over: bool = False
    beavers: bool = False
    beavered: bool = False
    automatic_doubles: int = 0
    win_points: int = 1
    draw_points: int = 0
    change_colours: bool = False
    colours_due: bool = False
    colours_changed: bool = False
    names: tuple[str, ...] = ()

    @property
    def is_crawford_game(self) -> bool:
        """Whether this is the Crawford game, in which nobody may double."""
        one_away = self.length > 1 and self.length - 1 in self.score
        return self.crawford and one_away and not self.crawford_over

    @property
    def winner(self) -> Side | None:
        """The winner of the match; None while it goes on, at equal points (after a draw) too, and in a series."""
        white, black = self.score
        if not self.length or max(white, black) < self.length or white == black:
            return None
        return Side.WHITE if white > black else Side.BLACK

    @property
    def jacoby_holds(self) -> bool:
        """Whether gammons do not count yet: no player has turned the cube."""
        return self.jacoby and not self.length and self.owner is None

    @property
    def for_stakes(self) -> bool:
        """Whether a match or a stake is played for."""
        return bool(self.length or self.stake)

    @property
    def balance(self) -> float:
        """White's winnings in the currency of the stake; negative if Black is ahead."""
        return (self.score[0] - self.score[1]) * self.stake

    def no_double_because(self, side: Side) -> Message | None:
        """Why `side` may not double now, as the end of a sentence; None if it may."""
        if self.has_cube and self.length == 1:
            return message("cube.one_point")
        if reason := self._rule_against_doubling(side):
            return reason
        points = self.score[list(Side).index(side)]
        dead = self.length and points + self.cube >= self.length
        return message("cube.dead", player=side) if dead else None

    def _rule_against_doubling(self, side: Side) -> Message | None:
        """The same, except that a dead cube may be turned: imported matches of other programs contain such doubles."""
        if not self.has_cube:
            return message("cube.none")
        if self.winner is not None:
            return message("cube.match_over")
        if self.is_crawford_game:
            return message("cube.crawford")
        if self.offered_by is not None:
            what = "unanswered_beaver" if self.beavered else "unanswered"
            return message(f"cube.{what}", player=self.offered_by)
        if self.owner not in (None, side):
            return message("cube.owned", player=side.opponent)
        if self.cube >= LARGEST_CUBE:
            return message("cube.largest", number=self.cube)
        return None

    def doubled(self, side: Side) -> Match:
        """The match after `side` doubles."""
        if reason := self._rule_against_doubling(side):
            raise CubeRefusal(message("cube.may_not", player=side, why=reason))
        return replace(self, offered_by=side)

    def no_beaver_because(self) -> Message | None:
        """Why the doubled player may not beaver, as the end of a sentence; None if they may."""
        if self.offered_by is None:
            return message("cube.nothing_doubled")
        if self.length:
            return message("cube.no_beavers_in_match")
        if not self.beavers:
            return message("cube.beavers_not_agreed")
        if self.beavered:
            return message("cube.beavered")
        if 2 * self.cube >= LARGEST_CUBE:
            return message("cube.too_high", number=LARGEST_CUBE)
        return None

    def beaver(self) -> Match:
        """The match after the doubled player beavers; the doubler has to answer next."""
        if reason := self.no_beaver_because():
            raise CubeRefusal(message("cube.no_beaver", why=reason))
        asked = self.asked
        return replace(self, cube=2 * self.cube, owner=asked, offered_by=asked, beavered=True)

    def taken(self) -> Match:
        """The match after a double is taken: the taker owns the cube; after a beaver, its player keeps it."""
        owner = self.owner if self.beavered else self.asked
        return replace(self, cube=2 * self.cube, owner=owner, offered_by=None, beavered=False)

    def offer_voided(self) -> Match:
        """The match after the double that waits for its answer is void, or the beaver, whose player has taken."""
        return replace(self, offered_by=None, beavered=False)

    def tied(self) -> Match:
        """The match after a tie of the opening roll: the cube is doubled if automatic doubles are agreed on."""
        most = min(2**self.automatic_doubles, LARGEST_CUBE)
        return replace(self, cube=2 * self.cube) if self.has_cube and self.cube < most else self

    def game_won(self, winner: Side, points: int) -> Match:
        """The match after a game won by `winner`; the cube is in the middle again."""
        white, black = self.score
        score = (white + points, black) if winner is Side.WHITE else (white, black + points)
        played = self.crawford_over or self.is_crawford_game
        ended = self.without_a_winner()
        return replace(ended, score=score, crawford_over=played, colours_due=self.change_colours)

    def game_drawn(self) -> Match:
        """The match after a drawn game."""
        white, black = self.score
        score = (white + self.draw_points, black + self.draw_points)
        return replace(self.without_a_winner(), score=score, colours_due=self.change_colours)

    def next_game(self) -> Match:
        """The match as the next game begins; if the players change colours, their points change sides with them."""
        if not self.colours_due:
            return self
        changed = not self.colours_changed
        return replace(self, score=self.score[::-1], colours_due=False, colours_changed=changed)

    def without_a_winner(self) -> Match:
        """The match after a game without a winner; the cube is in the middle again."""
        return replace(self, cube=1, owner=None, offered_by=None, beavered=False)

    @property
    def asked(self) -> Side:
        """The player who has to answer a double. Raises MatchError if there is none."""
        if self.offered_by is None:
            raise CubeRefusal(message("cube.no_double"))
        return self.offered_by.opponent
