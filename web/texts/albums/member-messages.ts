// Albums: who shares one, and how somebody comes to be a member.
import type { Album } from '../../../contract/endpoints/albums.ts'
import type { AlbumRole } from '../../../contract/plain/album-roles.ts'
import { limits } from '../../../contract/plain/limits.ts'

const { inviteMs } = limits.albums
const inviteDays = inviteMs / (24 * 60 * 60 * 1000)

const may: Readonly<Record<AlbumRole, string>> = {
  view: 'You may view it',
  add: 'You may add images',
  manage: 'You may manage it',
}

export const albumSharing = {
  share: 'Share',
  members: 'Members',
  membersOf: (n: number) => (n === 0 ? 'Members' : `Members, ${n}`),
  leave: 'Leave album',
  /** In the head of an album of somebody else. */
  byWithRole: ({ owner, role }: Album) => `Shared by ${owner}${role === 'owner' ? '' : ` · ${may[role]}`}`,
}

export const albumMembers = {
  title: (title: string) => `Members of ${title}`,
  list: 'Who is in it',
  loading: 'Loading the members...',
  failed: 'The members could not be loaded',
  none: 'Only you so far',
  noneText: 'Invite family, friends or colleagues: they see all images in it, and add theirs if you like.',
  invited: 'Invited',
  roles: { view: 'View', add: 'Add images', manage: 'Manage' },
  roleTexts: {
    view: 'Sees all images in it, private ones too.',
    add: 'Also adds images, and removes them again.',
    manage: 'Also orders and removes images, changes the texts and shares links.',
  },
  role: 'They may',
  roleOf: (name: string) => `What ${name} may do`,
  roleChanged: (name: string) => `Changed what ${name} may do`,
  roleFailed: 'This could not be changed',
  copyLink: 'Copy invitation link',
  copyLinkOf: (email: string) => `Copy invitation link for ${email}`,
  linkCopied: 'Invitation link copied',
  newLink: 'New link',
  newLinkOf: (email: string) => `New invitation link for ${email}`,
  newLinkCopied: 'New invitation link copied. The old one has ended',
  newLinkFailed: 'The link could not be made',
  remove: (name: string) => `Remove ${name}`,
}

export const memberInvite = {
  email: 'Email',
  emailHint: 'grace@example.com',
  invalid: 'Enter an email address',
  again: (text: string) => `${text}. Below you can make a new link for it.`,
  submit: 'Invite',
  busy: 'Inviting...',
  failed: 'The invitation could not be made',
  made: (email: string) => `${email} is invited`,
  mailed: `The invitation was mailed. You can also send its link yourself. It works once, for ${inviteDays} days.`,
  notMailed: `Send this link to them. It works once, for ${inviteDays} days.`,
}

export const memberRemoval = {
  title: (name: string) => `Remove ${name}?`,
  text: 'From now on they can no longer open the album or its private images.',
  inviteTitle: (email: string) => `Withdraw the invitation of ${email}?`,
  inviteText: 'Its link stops working at once.',
  images: 'Also take out the images that they added',
  imagesText: 'Otherwise these stay in the album. Either way, the member keeps them.',
  confirm: 'Remove',
  withdraw: 'Withdraw',
  busy: 'Removing...',
  done: (name: string) => `${name} is no longer a member`,
  withdrawn: 'Invitation withdrawn',
  failed: 'The member could not be removed',
}

export const albumLeaving = {
  title: (title: string) => `Leave the album ${title}?`,
  text: (owner: string) => `You can no longer open it. To come back, you need an invitation from ${owner}.`,
  images: 'Also take out the images that I added',
  imagesText: 'Otherwise these stay in the album. Either way, they stay among your images.',
  confirm: 'Leave album',
  busy: 'Leaving...',
  done: (title: string) => `You left ${title}`,
  failed: 'You could not leave the album',
}

export const albumInvite = {
  title: 'You are invited to an album',
  lead: 'Somebody shares an album with you. Accept to see its images, and find it among your albums from then on.',
  accept: 'Accept',
  accepting: 'Accepting...',
  failed: 'The invitation could not be accepted',
  accepted: (title: string) => `You are a member of ${title} now`,
  own: 'This is your own album: the invitation still works for somebody else',
  loggedInAs: (name: string) => `You are logged in as ${name}.`,
  guestLead: 'Somebody shares an album with you. Log in to see its images, or register if you have no account yet.',
  guestLeadClosed: 'Somebody shares an album with you. Log in to see its images.',
  login: 'Log in',
  register: 'Register',
  confirmFirst: 'When you register, you get a mail. Its link confirms your address and leads back to this invitation.',
  ended: 'This invitation has ended',
  endedText: `It was accepted already, was withdrawn, or is older than ${inviteDays} days. Ask whoever invited you for a new one.`,
  incomplete: 'This link is incomplete. Open it again from the message, or copy all of it.',
  toAlbums: 'Your albums',
  toHome: 'Back to the start page',
}
