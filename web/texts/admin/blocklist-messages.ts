// Texts of the tab Blocklist of the admin page.
const number = (n: number) => n.toLocaleString('en')
const images = (n: number) => `${number(n)} ${n === 1 ? 'image' : 'images'}`
const networks = (n: number) => `${number(n)} ${n === 1 ? 'network' : 'networks'}`

export const blocklists = {
  listsLabel: 'Blocklists',
  lists: { images: 'Images', networks: 'Networks' },
  add: 'Block',
  adding: 'Blocking...',
  remove: 'Remove',
  removing: 'Removing...',
  clear: 'Clear search',
  select: (name: string) => `Select ${name}`,
  removeNamed: (name: string) => `Remove the block of ${name}`,
  actions: 'Actions',
  selected: 'Selected blocks',
  never: 'Never',
  deletedAdmin: 'Deleted account',
}

export const blockedImages = {
  title: 'Blocked images',
  text: 'Uploads of the same file are refused. Uploads that look the same are stored and quarantined, for an admin to decide.',
  searchLabel: 'Find blocked images',
  search: 'SHA-256 or reason',
  count: images,
  found: (n: number) => `${images(n)} found`,
  failed: 'The blocked images could not be loaded.',
  moreFailed: 'More blocked images could not be loaded.',
  none: 'No blocked images match.',
  noneYet: 'No blocked images',
  noneYetText: 'Images are also blocked on the tab Images, with Remove and block.',
  columns: { name: 'SHA-256', compared: 'Matches', note: 'Reason', created: 'Blocked', by: 'By' },
  sameFile: 'Same file',
  lookalikes: 'Same file and look-alikes',
  copy: 'Copy SHA-256',
  copied: 'SHA-256 copied',
  dialog: 'Block images',
  field: 'Images',
  fieldHint: 'One per line: id, file name or URL of an image, or the SHA-256 of a file',
  note: 'Reason',
  added: (added: number, quarantined: number) =>
    quarantined === 0 ? `${images(added)} blocked` : `${images(added)} blocked, ${number(quarantined)} quarantined`,
  addFailed: 'The images could not be blocked',
  notFound: (names: string) => `Not found: ${names}`,
  removeTitle: (n: number) => (n === 1 ? 'Remove this block?' : `Remove the blocks of ${images(n)}?`),
  removeText: 'The same files can be uploaded again. Images that are quarantined stay so.',
  removed: (n: number) => `${images(n)} can be uploaded again`,
  removeFailed: 'The blocks could not be removed',
}

export const blockedNetworks = {
  title: 'Blocked networks',
  text: 'Uploads, registrations and logins from these addresses are refused. Existing sessions go on.',
  searchLabel: 'Find blocked networks',
  search: 'Address, network or note',
  count: networks,
  found: (n: number) => `${networks(n)} found`,
  failed: 'The blocked networks could not be loaded.',
  moreFailed: 'More blocked networks could not be loaded.',
  none: 'No blocked networks match.',
  noneYet: 'No blocked networks',
  noneYetText: 'Block an address, or a whole network, from which unwanted images or accounts come.',
  columns: { name: 'Network', ends: 'Ends', note: 'Note', created: 'Blocked', by: 'By' },
  dialog: 'Block networks',
  field: 'Networks',
  fieldHint: 'One per line: an address such as 198.51.100.7, or a network such as 198.51.100.0/24 or 2001:db8::/48',
  note: 'Note',
  ends: 'Ends',
  endsIn: { never: 'Never', '1': 'In a day', '7': 'In 7 days', '30': 'In 30 days', '365': 'In a year' },
  added: (n: number) => `${networks(n)} blocked`,
  addFailed: 'The networks could not be blocked',
  removeTitle: (n: number) => (n === 1 ? 'Remove this block?' : `Remove the blocks of ${networks(n)}?`),
  removeText: 'Clients from there can upload, register and log in again.',
  removed: (n: number) => `${networks(n)} not blocked any more`,
  removeFailed: 'The blocks could not be removed',
}
export const optionalNote = 'Optional'
