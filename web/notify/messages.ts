// Every text on screen, by screen. Quoted texts of the specification stand to the letter (design/strings.md).
// The long prose of the static pages is in prose.ts, so that it loads with those pages alone.

export const common = {
  loading: 'Loading...',
  skipToContent: 'Skip to content',
  tryAgain: 'Try again',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  toasts: 'Messages',
  moreToasts: (n: number) => `${n} more`,
}

export const titles = {
  login: 'Login',
  register: 'Register',
  dashboard: 'Dashboard',
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
  about: 'About Us',
  contact: 'Contact Us',
  privacy: 'Privacy Policy',
  terms: 'Terms & Conditions',
  developer: 'Developer',
  copyright: (year: number | undefined, brand: string) => `© ${year === undefined ? '' : `${year} `}${brand}`,
}

export const landing = {
  headline: ['Host an image.', 'Share it anywhere.'],
  lead: 'Drop a picture, get a link. Free, simple, fast and secure, with embed code ready to paste.',
  start: 'Get Started',
  login: 'Login',
  noAccount: 'No account needed for images up to 5 MB.',
  privacy: 'Guest data is kept 60 days.',
  why: 'Why Create an Account',
  reasons: {
    upload: ['Easy Upload', 'Drop, paste or pick. Images up to 10 MB, GIF included.'],
    sharing: ['Instant Sharing', 'A link and embed code the moment the picture lands.'],
    storage: ['Long-term Storage', 'Kept 365 days by default. Extend any image with one click.'],
    secure: ['Secure Storage', 'Camera data and location are removed from every file.'],
  },
} as const

export const dropZone = {
  label: 'Upload an image',
  idle: 'Drop, paste or choose an image',
  drop: 'Drop to upload',
  choose: 'Choose image',
  guestLimits: (size: string) => `PNG, JPG/JPEG or WebP, up to ${size}`,
  userLimits: (size: string) => `PNG, JPG/JPEG, WebP or GIF, up to ${size}`,
  pasteHint: 'pastes from anywhere on this page',
  off: 'Uploading without an account is switched off here. Log in or register to upload.',
  preview: (name: string) => `Preview of ${name}`,
  percent: (percent: number) => `${percent}%`,
  failed: 'The upload did not finish. Your image is still here.',
  discard: 'Discard',
}

export const upload = {
  done: 'Image uploaded successfully!',
  failed: 'Failed to upload image',
  processFailed: 'Failed to process or upload image',
  pasteFailed: 'Failed to process pasted image',
  dataFailed: 'Failed to process image data',
  uploading: 'Uploading image...',
  wrongType: (types: string) => `File type must be one of ${types}`,
  tooLarge: (bytes: number) => `File is larger than ${bytes} bytes`,
  tooSmall: (bytes: number) => `File is smaller than ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
  tooMany: 'Too many files',
}

export const result = {
  title: 'Your link is ready',
  url: 'Image URL',
  copyUrl: 'Copy URL',
  copyAs: 'Copy as',
  qr: 'QR',
  qrLabel: 'QR code of the image URL',
  embed: 'Embed code',
  another: 'Upload another',
}

export const gallery = {
  recent: 'Recent uploads',
  showAll: (n: number) => `Show all ${n}`,
  copyUrl: 'Copy URL',
  embed: 'Embed code',
  extend: 'Extend to 1 year',
  delete: 'Delete',
  actionsFor: (name: string) => `Actions for ${name}`,
  open: (name: string) => `View ${name}`,
  deletedGuest: 'Image deleted successfully',
  deleted: 'Image deleted successfully!',
  deleteFailed: 'Failed to delete image',
  extended: 'Expiration extended to 1 year',
  extendFailed: 'Failed to extend expiration date',
  fetchFailed: 'Failed to fetch images',
  empty: 'No images yet. Drop, paste or choose your first image.',
  heading: 'Your images',
  more: 'Show more',
}

/** The words that format/expiry.ts chooses from. */
export const expiry = {
  expired: 'Expired',
  today: 'Expires today',
  tomorrow: 'Expires tomorrow',
  days: (days: number) => `Expires in ${days} days`,
  weeks: (weeks: number) => `Expires in ${weeks} weeks`,
  on: (date: string) => `Expires on ${date}`,
}

export const copy = {
  url: 'URL copied to clipboard!',
  code: (format: string) => `${format} code copied!`,
  failed: 'Failed to copy to clipboard',
  copied: 'Copied',
  action: 'Copy',
}

export const embed = {
  title: 'Embed code',
}

export const account = {
  email: 'Email',
  password: 'Password',
  showPassword: 'Show password',
  passwordRule: 'At least 6 characters',
  passwordShort: 'Password must be at least 6 characters long',
  login: {
    title: 'Login',
    lead: 'Welcome back.',
    submit: 'Login',
    busy: 'Logging in...',
    failed: 'Login failed',
    otherText: 'No account yet?',
    otherLink: 'Register',
  },
  register: {
    title: 'Register',
    lead: 'Images up to 10 MB, kept 365 days and longer.',
    submit: 'Register',
    busy: 'Registering...',
    done: 'Registration successful! You can now log in.',
    failed: 'Registration failed',
    otherText: 'Already have an account?',
    otherLink: 'Login',
  },
}

export const dashboard = {
  hello: (email: string) => `Hello, ${email}`,
  count: (n: number) => (n === 1 ? '1 image' : `${n.toLocaleString('en-US')} images`),
}

export const notFound = {
  code: '404',
  title: 'Page Not Found',
  text: "Sorry, we couldn't find the page you're looking for.",
  home: 'Return Home',
}

export const boundary = {
  title: 'Unexpected Application Error!',
  text: 'This page stopped working. Reloading it usually helps; your images are safe on the server.',
  reload: 'Reload page',
  home: 'Return Home',
}
