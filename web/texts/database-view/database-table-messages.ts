// Texts of the documents table of the database view.

const whole = new Intl.NumberFormat('en-US')
const documents = (n: number) => `${whole.format(n)} ${n === 1 ? 'document' : 'documents'}`

export const documentsTable = {
  documents,
  selected: (n: number) => `${n} selected`,
  deleteSelected: 'Delete Selected',
  clear: 'Clear',
  mode: 'Show values as',
  modes: { json: 'JSON', gui: 'GUI' },
  region: (collection: string) => `Documents of ${collection}`,
  keys:
    'Up and down arrow: row. Space: select. Shift and an arrow: select a range. Enter: open. E: edit. J: JSON or GUI. ' +
    'Square brackets: page.',
  loading: 'Loading documents',
  empty: 'No documents found in this collection',
  selectAll: 'Select all on this page',
  select: (id: string) => `Select ${id}`,
  edit: (id: string) => `Edit ${id}`,
  /** A field with an empty name. */
  noName: '""',
  keyCount: (n: number) => (n === 1 ? '{1 key}' : `{${whole.format(n)} keys}`),
  itemCount: (n: number) => `[${whole.format(n)}]`,
}

export const columnsMenu = {
  button: 'Columns',
  /** After the button's label. */
  hiddenCount: (n: number) => `${whole.format(n)} hidden`,
  filter: 'Filter columns',
  more: (n: number) => `${whole.format(n)} more: type to find them`,
  limit: (n: number) => `At most ${n} are shown at once`,
  noMatch: 'No column has this in its name',
  narrower: (name: string) => `Make ${name} narrower`,
  wider: (name: string) => `Make ${name} wider`,
  reset: 'Reset columns',
}

export const pagination = {
  label: 'Pages of documents',
  previous: 'Previous page',
  next: 'Next page',
  page: (n: number) => `Page ${whole.format(n)}`,
  number: (n: number) => whole.format(n),
  at: (n: number, total: number) => `Page ${whole.format(n)} of ${whole.format(total)}`,
  /** Around the field: Page [3] of 25. */
  jump: 'Page',
  of: (total: number) => `of ${whole.format(total)}`,
}

export const deleteDocuments = {
  title: (n: number) => `Delete ${documents(n)}?`,
  text: 'This cannot be undone.',
  /** Other data that is deleted with the documents. */
  also: new Map([
    ['images', 'The image files themselves are deleted with them.'],
    ['users', 'The accounts are deleted with them.'],
    ['apikeys', 'The keys stop working at once.'],
    ['backups', 'The backups themselves are deleted with them.'],
  ]),
  more: (n: number) => `and ${whole.format(n)} more`,
  confirm: 'Delete',
  deleting: 'Deleting...',
  done: 'Documents deleted',
  doneText: (n: number) => `${documents(n)} deleted`,
  failed: 'Failed to delete documents',
  partly: (n: number, of: number, reason: string) =>
    `${whole.format(n)} of ${whole.format(of)} were deleted. ${reason}`,
}
