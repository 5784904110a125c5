/* Self-play, labels and fitting of checkers, for training only, with the product's own search. */
#include "../companion/hints/checkers_search.c"
#include <math.h>

typedef struct { u64 white, black, kings; int16_t to_move, score, result, quiet; } Record; /* scores and results are White's */

static u64 chance;

/* Scores of all moves for the side to move, as deep as `positions` allow; returns their number. */
int label(Search *s, const Position *at, int white, u64 positions, Position *after, int *scores) {
  int count = search_moves(s, at, white, after), found[MOST_MOVES];
  memset(s->table, 0, sizeof s->table);
  begin(s, positions, NULL);
  for (int depth = 0; depth < 40; depth++) {
    for (int n = 0; n < count; n++) found[n] = -value(s, &after[n], !white, depth, -WON, WON, 1);
    if (s->over) break;
    memcpy(scores, found, count * sizeof *found);
  }
  return count;
}

static u64 drawn(u64 below) {
  chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
  return chance % below;
}

/* Games from 2 to 11 moves by chance on, with one move in fifty by chance after that; returns the number of records. */
int play(Search *s, u64 seed, int games, u64 positions, Record *records, int room) {
  int count = 0;
  chance = (seed + 1) * 0x9E3779B97F4A7C15ULL;
  for (int game = 0; game < games && count < room - 300; game++) {
    Position at = {0xFFULL | 0xFULL << 9, 0xF00000ULL << 2 | 0xFF000000ULL << 3, 0};
    int white = 0, start = count, result = 0, quiet_moves = 0, opening = 2 + drawn(10);
    for (int ply = 0; ply < 300 && quiet_moves <= 50; ply++, white = !white) {
      Position after[MOST_MOVES];
      int score = 0, number = search_moves(s, &at, white, after), chosen;
      if (!number) { result = white ? -1 : 1; break; }
      int taking = takes(&at, &after[0]);
      if (ply < opening) chosen = drawn(number);
      else {
        chosen = search_best(s, after, number, !white, positions, NULL, &score);
        Position passed = {at.theirs, at.mine, at.kings};
        int quiet = !taking && !jumpers(&passed, !white);
        records[count++] = (Record){white ? at.mine : at.theirs, white ? at.theirs : at.mine, at.kings, white, white ? score : -score, 0, quiet};
        if (score > SURE || score < -SURE) { result = (score > 0) == white ? 1 : -1; break; }
        if (!drawn(50)) chosen = drawn(number);
      }
      quiet_moves = taking || (at.mine & ~at.kings) != (after[chosen].theirs & ~after[chosen].kings) ? 0 : quiet_moves + 1;
      at = after[chosen];
    }
    for (int n = start; n < count; n++) records[n].result = result;
  }
  return count;
}

/* Adds to `slope` how the mean log loss changes with `weights` (early and late, one after the other); `chances` of White come back. */
void fit(int count, int each, const int32_t *index, const int8_t *sign, const float *early, const float *rest, const float *wanted,
         const float *share, const float *weights, float *slope, float *chances) {
  for (int n = 0; n < count; n++, index += each, sign += each) {
    float logit = rest[n], late = 1 - early[n];
    for (int k = 0; k < each; k++) logit += sign[k] * (early[n] * weights[2 * index[k]] + late * weights[2 * index[k] + 1]);
    chances[n] = 1 / (1 + expf(-logit));
    float error = (chances[n] - wanted[n]) * share[n];
    for (int k = 0; error && k < each; k++) {
      slope[2 * index[k]] += sign[k] * error * early[n];
      slope[2 * index[k] + 1] += sign[k] * error * late;
    }
  }
}
