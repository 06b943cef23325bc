// The texts of mails, in plain text. None has words of strangers, which would make this site send
// what they want to whom they want: of the name of an image it has a few ASCII characters.
import { imageUrls } from '../../../contract/derive/client.ts'
import type { ContactMessage } from '../../../contract/endpoints/contact.ts'
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { paths } from '../../../contract/plain/page-paths.ts'
import { reasonNames, type ReportReason } from '../../../contract/plain/report-reasons.ts'
import type { Config } from '../../config.ts'

export interface MailText {
  subject: string
  body: string
}

/** What mails say about this site. */
export interface MailSite {
  name: string
  /** Origin of the page. */
  url: string
  /** Origin of images. */
  imagesUrl: string
  support: string | undefined
}

/** @param config has PUBLIC_URL when mail is sent */
export function mailSite({ config }: { config: Config }): MailSite {
  const { SITE_NAME: name, PUBLIC_URL: url = '', MEDIA_ORIGIN: imagesUrl = url, SUPPORT_EMAIL: support } = config
  return { name, url, imagesUrl, support }
}

const plainMail = (site: MailSite, subject: string, paragraphs: string[], footer: string): MailText => ({
  subject: `${site.name}: ${subject}`,
  body: `${paragraphs.join('\n\n')}\n\n-- \n${footer}\n`,
})

/** A contact form message, as the site's staff receives it. */
export function contactMail(site: string, { name, email, subject, message }: ContactMessage): MailText {
  return {
    subject: `${site}: ${subject}`,
    body: `${name} <${email}> wrote on the contact page of ${site}:\n\n${message}\n\n-- \nAn answer to this mail goes to ${email}.\n`,
  }
}

const hourMs = dayMs / 24
const hours = (ms: number) => (ms === hourMs ? '1 hour' : `${ms / hourMs} hours`)

/** A link whose token is in the fragment, which browsers send to no server. */
const linkTo = (site: MailSite, path: string, token: string) => `${site.url}${path}#${token}`

/** @param albumInvite of an invitation to an album, to which the link leads on */
const tokens = (token: string, albumInvite: string | undefined) =>
  albumInvite === undefined ? token : `${token}.${albumInvite}`

const ignoreIt = 'If that was not you, do nothing.'
const entered = (site: MailSite) => `This mail was sent because this address was entered on ${site.url}.`

/** To an address that someone registers with. */
export const registrationMail = (site: MailSite, token: string, albumInvite?: string): MailText =>
  plainMail(
    site,
    'confirm your email address',
    [
      'Hello,',
      `this address was used to register on ${site.name}. If that was you, open this link and enter the password that you chose:`,
      linkTo(site, paths.confirmEmail, tokens(token, albumInvite)),
      `The link works for ${hours(accountLimits.mailLinks.confirmMs)}. ${ignoreIt} Without the link there is no account.`,
    ],
    entered(site),
  )

/** To an address that someone registers with, or wants for their account, and that has an account. */
export const addressInUseMail = (site: MailSite): MailText =>
  plainMail(
    site,
    'you already have an account',
    [
      'Hello,',
      `this address was entered on ${site.name}, but you already have an account with it. Nothing has changed.`,
      `Log in: ${site.url}${paths.login}\nIf you do not know the password: ${site.url}${paths.resetPassword}`,
      ignoreIt,
    ],
    entered(site),
  )

/** To an address that a logged-in user enters. */
export const confirmationMail = (site: MailSite, token: string): MailText =>
  plainMail(
    site,
    'confirm your email address',
    [
      'Hello,',
      `this address was entered for an account on ${site.name}. If that was you, open this link and enter the password of your account:`,
      linkTo(site, paths.confirmEmail, token),
      `The link works for ${hours(accountLimits.mailLinks.confirmMs)}. ${ignoreIt} Without the link nothing changes.`,
    ],
    entered(site),
  )

/** @param isConfirmed whether the address is; otherwise the link confirms it, too */
export const passwordResetMail = (
  site: MailSite,
  { token, albumInvite, isConfirmed }: { token: string; albumInvite?: string | undefined; isConfirmed: boolean },
): MailText =>
  plainMail(
    site,
    isConfirmed ? 'choose a new password' : 'confirm your email address',
    [
      'Hello,',
      `a new password was requested on ${site.name} for the account with this address. If that was you, open this link and choose one:`,
      linkTo(site, paths.resetPassword, tokens(token, albumInvite)),
      `The link works for ${hours(accountLimits.mailLinks.resetMs)}, once. ${ignoreIt} Without the link nothing changes.`,
      ...(isConfirmed ? [] : ['The link also confirms that this address is yours.']),
    ],
    entered(site),
  )

/** Instead of a new password, for an account without one. @param providers where it logs in, by their names in the settings */
export const providerLoginMail = (site: MailSite, providers: string[]): MailText =>
  plainMail(
    site,
    'how to log in',
    [
      'Hello,',
      `a new password was requested on ${site.name} for the account with this address. It has none: it logs in with ${providers.join(' or ')}, here:`,
      `${site.url}${paths.login}`,
      `${ignoreIt} Nothing has changed.`,
    ],
    entered(site),
  )

/** To an address that the owner of an album entered. */
export const albumInviteMail = (site: MailSite, token: string): MailText =>
  plainMail(
    site,
    'an album is shared with you',
    [
      'Hello,',
      `someone with an account on ${site.name} invites you to an album. Open this link and log in to see it:`,
      linkTo(site, paths.albumInvite, token),
      `The link works for ${limits.albums.inviteMs / dayMs} days. If you do not know who that could be, do nothing.`,
    ],
    entered(site),
  )

/** What to do about a change by someone else. */
const notYou = ({ url, support }: MailSite) =>
  `If that was not you, choose a new password: ${url}${paths.resetPassword}` +
  (support === undefined ? '' : `\nIf you cannot, write to ${support}.`)

const aboutSafety = 'This mail is about the safety of your account and cannot be switched off.'

const safetyNotice = (site: MailSite, subject: string, what: string): MailText =>
  plainMail(site, subject, ['Hello,', what, notYou(site)], aboutSafety)

export const passwordChangedMail = (site: MailSite): MailText =>
  safetyNotice(site, 'your password was changed', `the password of your account on ${site.name} was changed.`)

export const newKeyMail = (site: MailSite, scopes: readonly string[]): MailText =>
  safetyNotice(
    site,
    'a new API key',
    `an API key with the scope ${scopes.join(', ')} was created for your account on ${site.name}. ` +
      `Your keys are listed here: ${site.url}${paths.apiKeys}`,
  )

/** What happened to a webhook, which receives the URLs of images. */
const webhookChanges = {
  created: ['a new webhook', 'a webhook was created'],
  redirected: ['a webhook has a new URL', 'the URL of a webhook was changed'],
  rotated: ['a webhook has a new secret', 'a new secret was created for a webhook'],
}

export const webhookMail = (site: MailSite, change: keyof typeof webhookChanges): MailText => {
  const [subject = '', what] = webhookChanges[change]
  return safetyNotice(
    site,
    subject,
    `${what} of your account on ${site.name}. Your webhooks are listed here: ${site.url}${paths.apiKeys}`,
  )
}

export const deletionRequestedMail = (site: MailSite, at: number): MailText =>
  safetyNotice(
    site,
    'your account will be deleted',
    `your account on ${site.name} will be deleted at ${dateAndTime(at)}, with all its images, because this was requested. ` +
      `Until then you can keep it: ${site.url}${paths.account}`,
  )

/** To the address that an account had. */
export const accountDeletedMail = (site: MailSite): MailText =>
  plainMail(
    site,
    'your account has been deleted',
    ['Hello,', `your account on ${site.name} and everything in it have been deleted, as requested.`],
    'No further mail goes to this address.',
  )

/** @param login.network undefined when no addresses are stored */
export const newLoginMail = (
  site: MailSite,
  { at, device, network }: { at: number; device: string | null; network: string | undefined },
): MailText =>
  safetyNotice(
    site,
    'a login from a new browser',
    `someone logged in to your account on ${site.name} at ${dateAndTime(at)} with ${device ?? 'a browser or program'} ` +
      `that was not used before${network === undefined ? '' : `, in the network ${network}`}. ` +
      'If that was you, nothing is to be done.',
  )

/** Ways to log in beside the password. */
const loginWays = { totp: 'an authenticator app', passkey: 'a passkey', identity: 'a login at another site' }

/** @param change what happened to which way to log in */
export const loginWayMail = (
  site: MailSite,
  { way, change }: { way: keyof typeof loginWays; change: 'added' | 'removed' },
): MailText =>
  safetyNotice(
    site,
    `${loginWays[way]} was ${change}`,
    `${loginWays[way]} was ${change === 'added' ? 'added to' : 'removed from'} your account on ${site.name}. ` +
      `The ways to log in are listed here: ${site.url}${paths.account}`,
  )

/** To the address that an account had. */
export const addressChangedMail = (site: MailSite): MailText =>
  plainMail(
    site,
    'your email address was changed',
    [
      'Hello,',
      `your account on ${site.name} has another email address now. Nothing is sent to this one any more.`,
      `If that was not you, ${site.support === undefined ? `see ${site.url}${paths.contact}` : `write to ${site.support}`}.`,
    ],
    aboutSafety,
  )

/** A name for an image in a mail: the beginning of the ASCII part of its file name. */
const imageLabel = (fileName: string) =>
  fileName.replace(/-[\w-]{22}\.\w+$/, '').slice(0, accountLimits.mail.maxSlugLength)

export interface ExpiringImage {
  file_name: string
  expires_at: number
}

/**
 * The digest of a user's images that expire soon.
 * @param total number of images, of which `listed` are the first
 */
export function expiryDigest(
  site: MailSite,
  { listed, total, unsubscribeUrl }: { listed: ExpiringImage[]; total: number; unsubscribeUrl: string },
): MailText {
  const what = total === 1 ? '1 image expires' : `${total} images expire`
  const days = limits.expiryNoticeDays
  return plainMail(
    site,
    `${what} within ${days} days`,
    [
      `Hello,`,
      `${what} within ${days} days on ${site.name} and will then be deleted:`,
      ...listed.map(
        ({ file_name: fileName, expires_at: expiresAt }) =>
          `- ${imageLabel(fileName)}\n  expires on ${dateAndTime(expiresAt)}`,
      ),
      ...(total > listed.length ? [`and ${total - listed.length} more.`] : []),
      `To keep an image, log in and extend it: ${site.url}${paths.notifications}`,
    ],
    `Each image is announced once. ${switchOff(unsubscribeUrl)}`,
  )
}

const switchOff = (unsubscribeUrl: string) => `Switch these mails off: ${unsubscribeUrl}`

/** Example: 2026-11-21 08:16 UTC */
const dateAndTime = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

export interface ReportedImage {
  /** ASCII, as in the file name. */
  slug: string
  report_count: number
  reasons: ReportReason[]
}

/**
 * Newly reported images, as the site's staff is notified of them. Without the comments of
 * reporters, who are strangers.
 * @param total number of images, of which `listed` are the first
 */
export function reportDigest(site: MailSite, { listed, total }: { listed: ReportedImage[]; total: number }): MailText {
  const what = total === 1 ? '1 image was reported' : `${total} images were reported`
  return plainMail(
    site,
    what,
    [
      `${what} on ${site.name}:`,
      ...listed.map(({ slug, report_count: reports, reasons }) =>
        [
          `- ${imageLabel(slug)}`,
          `  ${reports === 1 ? '1 report' : `${reports} reports`}: ${reasonNames(reasons)}`,
        ].join('\n'),
      ),
      ...(total > listed.length ? [`and ${total - listed.length} more.`] : []),
      `To decide, log in as an admin: ${site.url}${paths.admin}?tab=reports`,
    ],
    'At most one such mail is sent in an hour.',
  )
}

/** Informs the owner of a reported image, without the admin's note and the reporters' comments. */
export function takedownNotice(
  site: MailSite,
  {
    isRemoved,
    image,
    reasons,
  }: {
    /** Otherwise it is quarantined. */
    isRemoved: boolean
    image: { id: string; file_name: string }
    reasons: ReportReason[]
  },
): MailText {
  return plainMail(
    site,
    `one of your images was ${isRemoved ? 'removed' : 'hidden'}`,
    [
      'Hello,',
      `one of your images on ${site.name} was reported (${reasonNames(reasons)}). We looked at it and ` +
        `${isRemoved ? 'removed it' : 'hid it from everyone'}:`,
      `- ${imageLabel(image.file_name)}\n  ${imageUrls.thumbnail(site.imagesUrl, image.id)}`,
      isRemoved
        ? 'It was deleted permanently. Its address no longer works.'
        : 'Its address does not work while it is hidden.',
      ...(site.support === undefined ? [] : [`If you think that this is a mistake, write to ${site.support}.`]),
    ],
    'This mail was sent because the image belongs to your account.',
  )
}

const offReasons = {
  gone: 'its receiver responded with the status 410',
  failing: 'all tries to deliver an event failed for three days',
  backlog: 'too many events were waiting to be delivered',
}

/** Informs a user that the server has switched off one of their webhooks. */
export function webhookOffMail(
  site: MailSite,
  { host, reason, unsubscribeUrl }: { host: string; reason: keyof typeof offReasons; unsubscribeUrl: string },
): MailText {
  return plainMail(
    site,
    `your webhook to ${host} was switched off`,
    [
      'Hello,',
      `your webhook to ${host} was switched off: ${offReasons[reason]}.`,
      `What was not delivered is stored. Switch the webhook on again to have it sent: ${site.url}${paths.apiKeys}?tab=webhooks`,
    ],
    `This mail was sent because the webhook belongs to your account. ${switchOff(unsubscribeUrl)}`,
  )
}
