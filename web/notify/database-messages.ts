// The database view and its PIN.

export const pin = {
  title: 'Database View',
  denied: 'Access Denied',
  deniedText: 'Incorrect PIN. Please try again.',
  granted: 'Access Granted',
  grantedText: 'Welcome to Database View',
}

export const database = {
  collectionsFailed: 'Failed to fetch collections',
  documentsFailed: (name: string) => `Failed to fetch documents from ${name}`,
}
