// Texts around the rows of any list.
const number = (n: number) => n.toLocaleString('en')

export const lists = {
  more: 'Show more',
  shown: (shown: number, total: number) => `${number(shown)} of ${number(total)}`,
  selected: (n: number) => `${number(n)} selected`,
  selectAll: (n: number) => `Select all ${number(n)}`,
  clearSelection: 'Clear',
}
