// Texts of the database view and the PIN dialog.

export const pin = {
  title: 'Database View',
  denied: 'Access Denied',
  deniedText: 'Incorrect PIN. Please try again.',
  granted: 'Access Granted',
  grantedText: 'Welcome to Database View',
  enter: 'Enter the 4-digit PIN',
  ended: 'The database view was locked again. With the PIN you go on where you were.',
  digit: (at: number, of: number) => `PIN digit ${at} of ${of}`,
  reveal: 'Show PIN',
  verify: 'Verify',
  verifying: 'Verifying...',
  cancel: 'Cancel',
}

export const database = {
  // The frame and the sidebar
  collections: 'Collections',
  collection: 'Collection',
  choose: 'Choose a collection',
  refresh: 'Refresh collections',
  filter: 'Filter collections',
  noMatch: 'No collection has this in its name',
  noCollections: 'No collections found',
  noSelectionTitle: 'No Collection Selected',
  noSelectionText: 'Select a collection from the sidebar to view its documents',
  loading: 'Loading...',
  dismiss: 'Dismiss',
  /** Where they would be; the banner says why. */
  notLoaded: { collections: 'The collections are not loaded', documents: 'The documents are not loaded' },
  offline: 'You are offline: nothing can be deleted',
  sidebarWidth: 'Width of the collections',
  panelWidth: 'Width of the document',
  panel: 'Document',
  // Deleting a collection
  deleteNamed: (name: string) => `Delete ${name}`,
  deleteTitle: 'Delete this collection?',
  deleteText: 'All documents in it are deleted with it. This cannot be undone.',
  /** Before and after the collection's name. */
  typeToConfirm: ['Type ', ' to confirm'],
  deleteCollection: 'Delete Collection',
  deleting: 'Deleting...',
  collectionDeleted: 'Collection deleted',
  // Failures
  collectionsFailed: 'Failed to fetch collections',
  documentsFailed: (name: string) => `Failed to fetch documents from ${name}`,
  deleteCollectionFailed: (name: string) => `Failed to delete collection ${name}`,
  network: 'Error connecting to the server',
  networkDelete: 'Error deleting documents',
  /** Errors that contain this text are not shown. */
  hidden: 'Document not found',
}
