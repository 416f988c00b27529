/** The word that another was most likely meant to be, in any case of letters; undefined when none is near. */
export function nearest<Word extends string>(word: string, words: readonly Word[]): Word | undefined {
  const most = LENGTHS.filter((length) => word.length >= length).length;
  // Words of other lengths are further apart than that, and need not be measured.
  const near = words.filter((one) => Math.abs(one.length - word.length) <= most);
  const measured = near.map((one) => ({ one, edits: editsBetween(word.toLowerCase(), one.toLowerCase()) }));
  const [best] = measured.filter(({ edits }) => edits <= most).sort((a, b) => a.edits - b.edits);
  return best?.one;
}

/** From each of these lengths on, one more edit counts as a typing error. */
const LENGTHS = [0, 6, 9];

/** How many letters must be inserted, deleted, replaced, or swapped with the next, to make one word of the other. */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      line.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (line[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = line;
  }
  return last[other.length] ?? 0;
}
