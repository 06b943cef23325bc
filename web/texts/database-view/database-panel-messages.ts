// Texts of one document in the database view: reading, nested values, editing.

export const panel = {
  title: 'Document',
  edit: 'Edit',
  close: 'Close document',
  content: 'Content of the document',
  shown: (id: string) => `Document ${id} is shown`,
  loading: 'Loading document...',
  gone: 'This document is no longer there',
  goneText: 'It may have been deleted meanwhile, or its address has a slip in it.',
  fetchFailed: 'The document could not be loaded',
}

export const tree = {
  label: 'Fields of the document',
  /** The summary of a closed node. */
  keys: (n: number) => (n === 1 ? '{ 1 key }' : `{ ${n} keys }`),
  items: (n: number) => `[ ${n} ]`,
  /** A slice of a long array, by its first and last index. */
  slice: (first: number, last: number) => `${first} … ${last}`,
  actions: 'Selected value',
  whole: 'Whole document',
  copyAll: 'Copy JSON',
  copyValue: 'Copy value',
  copyPath: 'Copy path',
  open: 'Open',
  showMore: 'Show more',
  hidden: (n: number) => `${n.toLocaleString('en-US')} more characters`,
  moreFields: (n: number) => `Show ${n} more`,
  copied: 'Copied',
  copyFailed: 'Failed to copy',
  copyFailedText: 'Please try again or copy manually',
}

export const value = {
  noName: '""',
  openNamed: (name: string) => `Open ${name}`,
  empty: 'empty',
}

export const nested = {
  path: 'Path',
  separator: ' > ',
  back: 'Back',
  close: 'Close',
  invalid: 'Invalid data structure',
}

export const edit = {
  form: 'Edit document',
  modified: '(modified)',
  complex: 'Complex object editing not fully supported yet',
  locked: 'Kept by the server',
  isNull: 'null cannot be edited here',
  kinds: { text: 'text', long: 'text', number: 'number', switch: 'true or false', priority: 'choice' },
  problems: {
    empty: 'Enter a number',
    notNumber: 'Enter a decimal number with a point, such as 3.5',
    tooLarge: 'This number is too large to be kept',
    inexact: 'This number has more digits than can be kept',
  },
  changes: (n: number) => (n === 1 ? '1 change' : `${n} changes`),
  noChanges: 'No changes yet',
  asDraft: 'kept as a draft',
  hasErrors: 'Contains errors: mend the marked fields to save',
  offline: 'You are offline. Saving waits for the connection, your changes stay.',
  waits: 'Choose above what to keep before you save',
  saving: 'Saving...',
  notSaved: 'Not saved',
  save: 'Save',
  cancel: 'Cancel',
  saved: 'Document updated',
  saveFailed: 'Failed to update document',
  networkFailed: 'Error updating document',
  savedGone: 'This document was deleted meanwhile, so it cannot be saved. Your changes are still here.',
}

export const conflict = {
  title: 'This document was changed meanwhile',
  fields: 'Changed by others:',
  alsoYours: '(by you, too)',
  gone: '(removed)',
  others: (n: number) => `and ${n} more`,
  loadNew: 'Load the new version',
  keepMine: 'Keep my changes',
  loadNewText: 'drops your changes',
  keepMineText: 'puts them on the new version; nothing is saved yet',
}

export const draft = {
  restored: 'Draft restored',
  discard: 'Discard',
}

export const leave = {
  title: 'Discard your changes?',
  text: (n: number) => (n === 1 ? '1 change has not been saved.' : `${n} changes have not been saved.`),
  discard: 'Discard',
  keep: 'Keep editing',
}
