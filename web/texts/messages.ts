// Texts on screen. web/texts/strings.test.ts fixes some of them to the letter.
// This file holds the texts of the first script. Texts of other screens have files of their own, *-messages.ts and prose.ts,
// and load with their screens.
import { listFormats, userOnlyFormats } from '../../contract/plain/formats.ts'
import { days, keptFor, type Retention } from './counts.ts'
import { formatList } from './format-list.ts'

export const common = {
  loading: 'Loading...',
  loadingApiDocs: 'Loading API Docs...',
  skipToContent: 'Skip to content',
  tryAgain: 'Try again',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  toasts: 'Messages',
  moreToasts: (n: number) => `${n} more`,
  offline: 'You are offline. Uploads continue when the connection is back.',
  /** On the admin page. */
  adminOffline: 'You are offline. Nothing can be changed, and what is shown may be out of date.',
  noResponse: 'No response from the server: check your connection and try again.',
}

/** Why something could not be loaded, where the server gave no text, and what happens next. */
export const failures = {
  offline: 'You are offline. It loads when the connection is back.',
  timeout: (seconds: number) => `The server did not respond within ${seconds} seconds.`,
  limited: 'Too many requests.',
  busy: 'The server is busy.',
  failed: 'The server could not respond.',
  trying: 'Trying again...',
  tryingIn: (seconds: number) => `Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
}

/** The stored login could not be used. */
export const suspended = {
  failed: 'Failed to get current user',
  text: 'Your account could not be loaded, but your login is kept.',
}

/** In place of an uploaded image that looks like a blocked one. */
export const heldForReview = 'This image is shown after a review: it looks like one that is not accepted here'

export const titles = {
  login: 'Login',
  register: 'Register',
  confirmEmail: 'Confirm your email',
  resetPassword: 'Reset your password',
  dashboard: 'Dashboard',
  albums: 'Albums',
  tags: 'Tags',
  albumInvite: 'Invitation to an album',
  notifications: 'Notifications',
  apiKeys: 'API Key Management',
  account: 'Account',
  apiDocs: 'API Documentation',
  tools: 'Tools',
  about: 'About Us',
  contact: 'Contact Us',
  privacy: 'Privacy Policy',
  terms: 'Terms & Conditions',
  notFound: 'Page Not Found',
}

export const pageTitle = (title: string, siteName: string) => `${title} · ${siteName}`

export const header = {
  nav: 'Main',
  dashboard: 'Dashboard',
  logout: 'Logout',
  login: 'Login',
  register: 'Register',
  account: 'Account menu',
  theme: { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' },
}

export const footer = {
  text: 'Free, simple, fast and secure image hosting with tools for content.',
  pages: 'Pages',
  legal: 'Legal',
  home: 'Home',
  developer: 'Developer',
  /** Before the name of the site. */
  copyright: (year: number | undefined) => (year === undefined ? '© ' : `© ${year} `),
  version: (version: string) => `Version ${version}`,
}

export const landing = {
  headline: ['Host an image.', 'Share it anywhere.'],
  lead: 'Drop an image, get a link. Free, simple, fast and secure, with embed code ready to paste.',
  start: 'Get Started',
  login: 'Log in',
  noAccount: (size: string) => `No account needed for images up to ${size}.`,
  privacy: (retentionDays: number) => `Guest data is kept ${days(retentionDays)}.`,
  tools: 'Upload from ShareX, your phone or a script',
  why: 'Why Create an Account',
  reasons: {
    upload: {
      title: 'Easy Upload',
      text: (size: string) =>
        `Drop, paste or pick. Images up to ${size}, ${listFormats(userOnlyFormats, 'and')} included.`,
    },
    sharing: { title: 'Instant Sharing', text: 'A link and embed code the moment the image lands.' },
    storage: {
      title: 'Long-term Storage',
      text: (kept: Retention) => `Kept ${keptFor(kept)} by default. Extend any image with one click.`,
    },
    secure: { title: 'Secure Storage', text: 'Camera data and location are removed from every file.' },
  },
} as const

export const dropZone = {
  label: 'Upload an image',
  idle: 'Drop, paste or choose an image',
  drop: 'Drop to upload',
  choose: 'Choose image',
  guestLimits: (size: string) => `${formatList('guest')}, up to ${size}`,
  pasteHint: 'pastes from anywhere on this page',
  off: 'Uploads need an account here. Log in or register.',
  preview: (name: string) => `Preview of ${name}`,
  percent: (percent: number) => `${percent}%`,
  failed: 'The upload did not finish. Your image is still here.',
  /** `File type must be PNG. This file is something else.` */
  otherContent: (refusal: string) => `${refusal}. This file is something else.`,
  chooseAnother: 'Choose another',
  discard: 'Discard',
}

export const upload = {
  done: 'Image uploaded successfully!',
  failed: 'Failed to upload image',
  processFailed: 'Failed to process or upload image',
  pasteFailed: 'Failed to process pasted image',
  dataFailed: 'Failed to process image data',
  uploading: 'Uploading image...',
  waiting: {
    connection: 'Waiting for the connection',
    server: 'Waiting for the server',
    space: 'The server has no storage space left',
    limit: (time: string) => `Waiting until ${time}: upload limit reached`,
  },
  continues: 'It continues by itself. Keep this page open.',
  continuesWithSpace: 'It continues by itself once there is room. Keep this page open.',
  retryNow: 'Try again now',
  wrongType: (types: string) => `File type must be ${types}`,
  tooLarge: (bytes: number) => `File is larger than ${bytes} bytes`,
  tooSmall: (bytes: number) => `File is smaller than ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
}

export const boundary = {
  title: 'Unexpected Application Error!',
  text: 'This page stopped working. Reloading it usually helps; your images are safe on the server.',
  sectionText: 'This part of the page stopped working; the others still do. Reloading the page usually helps.',
  notLoaded:
    'A part of this page could not be loaded: the connection failed, or the site was updated. Reload the page.',
  id: 'Error id',
  reload: 'Reload page',
  home: 'Return Home',
}
