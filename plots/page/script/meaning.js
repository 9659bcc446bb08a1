// The meaning of a check for people who run the model.
const meaning = {
  'table-accuracy': 'Every cos and sin of the subject against the exact value. It finds a wrong base, layout, offset or scaling, and arithmetic that loses the angle.',
  'turn-rate': 'Slow pairs rotate at their frequency, which the rounding of 16 bits hides in each single value.',
  'max-error': 'No cos or sin may be off by more than the limit that was asked for.',
  'score-accuracy': 'Attention scores of random queries and keys against the exact scores: what the errors do to a logit.',
  'identity-at-zero': 'Position 0 turns nothing.',
  'orthogonality': 'A rotation keeps lengths: cos² + sin² is the same everywhere.',
  'pair-norm': 'The rotation keeps the length of each pair.',
  'self-inner-product': 'A token’s score with itself does not depend on its position.',
  'composition': 'A rotation by m, then by n, is one by m + n.',
  'inverse': 'A rotation by −m undoes one by m.',
  'relative-position': 'A score depends only on the distance, not on the two positions. Checked over every pair of positions.',
  'pass-through': 'Dimensions outside rotary_dim do not change.',
  'linearity': 'The program rotates: it is linear in the vector.',
  'calls': 'The function returns the same for the same input, and changes none of its arguments.',
  'structure': 'The rotation mixes the two dimensions of a pair and no others.',
  'c3-R0': 'Read literally, |r̂ − r| would have to fall from the start, where it is 0.',
  'c3-R1': 'The angle of every pair grows with the distance until it completes a turn.',
  'c3-R2': 'The cosine of every pair falls until half a turn.',
  'c3-R3': 'The |cosine| of every pair falls until a quarter turn.',
  'c3-R4': 'The score of equal vectors falls whatever the weights of the pairs are.',
  'score-decay': 'The sum of all cosines, the score of equal tokens of ones, falls at every step.',
  'roformer-decay': 'RoFormer’s bound on the score falls at every step, not only in trend.',
};

// The label of a JSON field; a distance at its end is kept.
const fieldWords = (() => {
  const words = {
    K: 'angle error, in units of m·θ·2⁻²⁴', class: 'arithmetic', like: 'accuracy', component: 'component',
    worst_error: 'largest error of cos or sin', worst_error_position: 'largest error at position', worst_error_pair: 'largest error in pair',
    first_beyond: 'first above the limit at position', first_beyond_1e_3: 'first above 10⁻³ at position', first_beyond_2e_9: 'first above 2⁻⁹ at position',
    logit_standard_deviation: 'standard deviation of random logits', logit_error_matters_from: 'more than 10 % of it from distance',
    tokens_off: 'equivalent shift of the key, in tokens', tokens_off_pair: 'pair with the largest shift',
    position_pairs: 'pairs of positions', proved_bound: 'proved bound for all of them', distinct_positions: 'distinct positions',
    carried_to: 'positions that the format can carry', reading: 'reading', searched_to: 'searched to s =',
    first_violation: 'first violated at s =', first_rise: 'first rises at s =', first_negative: 'first below 0 at s =',
    octaves_falling_to: 'falls from octave to octave up to s =', pairing: 'layout found',
    score_at_end: 'B(n)/B(0) with base θ', score_at_end_scaled: 'B(n)/B(0) with scaled θ',
  };
  return (key) => {
    const at = /^logit_error_at_(\d+)$/.exec(key);
    return at ? 'RMS error of a logit at distance ' + grouped(at[1]) : words[key] ?? key.replaceAll('_', ' ');
  };
})();
