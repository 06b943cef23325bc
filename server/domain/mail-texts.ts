// The texts of mails, in plain text.
import { imageUrls } from '../../contract/client.ts'
import type { ContactMessage } from '../../contract/contact.ts'
import { limits } from '../../contract/limits.ts'
import { reasonNames, type ReportReason } from '../../contract/report-reasons.ts'

interface Text {
  subject: string
  body: string
}

/** A contact form message, as the site's staff receives it. */
export function contactMail(site: string, { name, email, subject, message }: ContactMessage): Text {
  return {
    subject: `${site}: ${subject}`,
    body: `${name} <${email}> wrote on the contact page of ${site}:\n\n${message}\n\n-- \nAn answer to this mail goes to ${email}.\n`,
  }
}

export interface ExpiringImage {
  original_name: string
  file_name: string
  expires_at: number
}

/**
 * The digest of a user's images that expire soon.
 * @param total number of images, of which `listed` are the first
 * @param publicUrl without it there are no links, because no request provides the origin here.
 * Images may have another origin
 */
export function expiryDigest(
  site: string,
  {
    listed,
    total,
    publicUrl,
    picturesUrl,
  }: { listed: ExpiringImage[]; total: number; publicUrl: string | undefined; picturesUrl: string | undefined },
): Text {
  const what = total === 1 ? '1 image expires' : `${total} images expire`
  const days = limits.expiryNoticeDays
  return {
    subject: `${site}: ${what} within ${days} days`,
    body: [
      `Hello,`,
      `${what} within ${days} days on ${site} and will then be deleted:`,
      ...listed.map((image) => entry(image, picturesUrl)),
      ...(total > listed.length ? [`and ${total - listed.length} more.`] : []),
      publicUrl === undefined
        ? 'To keep an image, log in and extend it on the Notifications page.'
        : `To keep an image, log in and extend it: ${publicUrl}/notifications`,
      `-- \nEach image is announced once. You can switch these mails off in your account.\n`,
    ].join('\n\n'),
  }
}

function entry(
  { original_name: name, file_name: fileName, expires_at: expiresAt }: ExpiringImage,
  picturesUrl?: string,
) {
  const lines = [`- ${name}`, `  expires on ${dateAndTime(expiresAt)}`]
  return [...lines, ...(picturesUrl === undefined ? [] : [`  ${imageUrls.original(picturesUrl, fileName)}`])].join('\n')
}

/** Example: 2026-11-21 08:16 UTC */
const dateAndTime = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

export interface ReportedImage {
  original_name: string
  report_count: number
  reasons: ReportReason[]
}

/**
 * Newly reported images, as the site's staff is notified of them. Without the comments of
 * reporters, who are strangers.
 * @param total number of images, of which `listed` are the first
 */
export function reportDigest(
  site: string,
  { listed, total, publicUrl }: { listed: ReportedImage[]; total: number; publicUrl: string | undefined },
): Text {
  const what = total === 1 ? '1 image was reported' : `${total} images were reported`
  return {
    subject: `${site}: ${what}`,
    body: [
      `${what} on ${site}:`,
      ...listed.map(({ original_name: name, report_count: reports, reasons }) =>
        [`- ${name}`, `  ${reports === 1 ? '1 report' : `${reports} reports`}: ${reasonNames(reasons)}`].join('\n'),
      ),
      ...(total > listed.length ? [`and ${total - listed.length} more.`] : []),
      publicUrl === undefined
        ? 'To decide, log in as an admin and open the tab Reports of the page Admin.'
        : `To decide, log in as an admin: ${publicUrl}/admin?tab=reports`,
      '-- \nAt most one such mail is sent in an hour.\n',
    ].join('\n\n'),
  }
}

/** Informs the owner of a reported image, without the admin's note and the reporters' comments. */
export function takedownNotice(
  site: string,
  {
    isRemoved,
    image,
    reasons,
    picturesUrl,
    support,
  }: {
    /** Otherwise it is quarantined. */
    isRemoved: boolean
    image: { original_name: string; file_name: string }
    reasons: ReportReason[]
    picturesUrl: string | undefined
    support: string | undefined
  },
): Text {
  const url = picturesUrl === undefined ? [] : [`  ${imageUrls.original(picturesUrl, image.file_name)}`]
  return {
    subject: `${site}: one of your images was ${isRemoved ? 'removed' : 'hidden'}`,
    body: [
      'Hello,',
      `one of your images on ${site} was reported (${reasonNames(reasons)}). We looked at it and ` +
        `${isRemoved ? 'removed it' : 'hid it from everyone'}:`,
      [`- ${image.original_name}`, ...url].join('\n'),
      isRemoved
        ? 'It was deleted permanently. Its address no longer works.'
        : 'Its address does not work while it is hidden.',
      ...(support === undefined ? [] : [`If you think that this is a mistake, write to ${support}.`]),
      '-- \nThis mail was sent because the image belongs to your account.\n',
    ].join('\n\n'),
  }
}

const offReasons = {
  gone: 'its receiver responded with the status 410',
  failing: 'all tries to deliver an event failed for three days',
  backlog: 'too many events were waiting to be delivered',
}

/** Informs a user that the server has switched off one of their webhooks. */
export function webhookOffMail(
  site: string,
  { host, reason, publicUrl }: { host: string; reason: keyof typeof offReasons; publicUrl: string | undefined },
): Text {
  return {
    subject: `${site}: your webhook to ${host} was switched off`,
    body: [
      'Hello,',
      `your webhook to ${host} was switched off: ${offReasons[reason]}.`,
      'What was not delivered is stored. Switch the webhook on again to have it sent' +
        (publicUrl === undefined ? '.' : `: ${publicUrl}/api-keys#webhooks`),
      '-- \nThis mail was sent because the webhook belongs to your account.\n',
    ].join('\n\n'),
  }
}
