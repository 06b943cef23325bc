// Texts of the tab Reports of the admin page.
const number = (n: number) => n.toLocaleString('en')
const counted = (n: number, one: string, many: string) => `${number(n)} ${n === 1 ? one : many}`
const images = (n: number) => counted(n, 'image', 'images')

export const adminReports = {
  title: 'Reports',
  status: 'Status',
  statuses: { open: 'To decide', decided: 'Decided' },
  count: {
    open: (n: number) => `${counted(n, 'report', 'reports')} to decide`,
    decided: (n: number) => counted(n, 'decision', 'decisions'),
  },
  list: 'Reported images',
  failed: 'The reports could not be loaded',
  moreFailed: 'More reports could not be loaded',
  noneYet: { open: 'No reports to decide', decided: 'No decisions yet' },
  noneYetText: {
    open: 'Visitors report an image from its share page. The tab shows how many are waiting.',
    decided: 'Reports that you dismiss or act on are kept here.',
  },
  reports: (n: number) => counted(n, 'report', 'reports'),
  since: (date: string) => `first on ${date}`,
  others: (n: number) => counted(n, 'more report', 'more reports'),
  notStored: (n: number) => `${counted(n, 'further report was', 'further reports were')} counted only.`,
  noComment: 'No comment',
  guest: 'Guest',
  unknownOwner: 'Guest or deleted user',
  ownerInactive: 'Owner inactive',
  quarantined: 'Quarantined',
  gone: 'No longer exists',
  deleted: (date: string) => `Recently deleted, can be restored until ${date}`,
  view: (name: string) => `View ${name} on the tab Images`,
  suspend: 'Suspend the owner',
  suspendNamed: (email: string) => `Suspend the owner ${email} on the tab Users`,
  decidedBy: (action: string, who: string, date: string) => `${action} by ${who} on ${date}`,
  deletedAdmin: 'a deleted admin',
  closed: (date: string) => `Closed on ${date}: the image no longer exists`,
  select: (name: string) => `Select ${name}`,
  selected: 'Selected reports',
  outcomes: { dismiss: 'Dismissed', quarantine: 'Quarantined', remove: 'Removed', block: 'Removed and blocked' },
}

/** Names of the decisions, what they ask before, and what they say afterwards. */
export const reportDecisions = {
  dismiss: {
    label: 'Dismiss',
    title: 'Dismiss the reports?',
    text: 'The image stays as it is. A later report opens a new case.',
    busy: 'Dismissing...',
    done: 'The reports were dismissed',
    titleOfMany: (n: number) => `Dismiss the reports of ${images(n)}?`,
    textOfMany: 'The images stay as they are. A later report opens a new case.',
    doneMany: (n: number) => `The reports of ${images(n)} were dismissed`,
  },
  quarantine: {
    label: 'Quarantine',
    title: 'Quarantine this image?',
    text: 'It is hidden from everyone until an admin restores it on the tab Images. Its owner gets a mail if this server sends mail.',
    busy: 'Quarantining...',
    done: 'The image was quarantined',
  },
  remove: {
    label: 'Remove',
    title: 'Remove this image?',
    text: 'It is deleted for everyone, including its owner, who gets a mail if this server sends mail. This action cannot be undone.',
    busy: 'Removing...',
    done: 'The image was removed',
  },
  block: {
    label: 'Remove and block',
    title: 'Remove and block this image?',
    text: 'It is deleted, and the same file is refused at upload. Other images with the same bytes are quarantined. Its owner gets a mail if this server sends mail. This action cannot be undone.',
    busy: 'Blocking...',
    done: 'The image was removed and blocked',
  },
}

export const reportDecision = {
  named: (label: string, name: string) => `${label} ${name}`,
  note: 'Note',
  noteHint: 'Optional, for admins only',
  failed: 'The decision could not be stored',
}
