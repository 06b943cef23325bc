// Login and registration.
import { days } from './days.ts'

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
    lead: (size: string, retentionDays: number) => `Images up to ${size}, kept ${days(retentionDays)} and longer.`,
    submit: 'Register',
    busy: 'Registering...',
    done: 'Registration successful! You can now log in.',
    failed: 'Registration failed',
    otherText: 'Already have an account?',
    otherLink: 'Login',
  },
}

/** The account page. */
export const ownAccount = {
  lead: 'Who you are here, and how this site behaves for you.',
  failed: 'The change could not be saved',
  noToken: 'No token found',
  saved: 'Saved',
  save: 'Save',
  saving: 'Saving...',
  profile: {
    title: 'Profile',
    name: 'Name',
    nameMissing: 'Name is required',
    email: 'Email',
    role: 'Role',
    roles: { user: 'User', admin: 'Admin' },
    since: 'Member since',
    images: 'Images',
    storage: 'Storage',
    /** `1.2 GB of 10 GB`, `12 of 100,000` */
    of: (used: string, limit: string) => `${used} of ${limit}`,
    done: 'Name saved',
  },
  password: {
    title: 'Password',
    text: 'A new password ends every other session of your account. You stay logged in here.',
    current: 'Current password',
    next: 'New password',
    currentMissing: 'Enter your current password',
    submit: 'Change password',
    done: 'Password changed',
  },
  mail: {
    title: 'Mail',
    label: 'Mail about expiring images',
    text: 'One mail when images of yours expire within 7 days, if this site sends mail.',
    on: 'Mails about expiring images are on',
    off: 'Mails about expiring images are off',
  },
  look: {
    title: 'This browser',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    shortcuts: 'Single-key shortcuts',
    shortcutsText: 'Keys such as U, / and G D. They never work while you type in a field.',
    shortcutsList: 'Show all shortcuts',
  },
  sessions: {
    title: 'Sessions',
    text: 'Ends every session of your account on every device, this one included. API keys stay.',
    end: 'Log out everywhere',
    question: 'Log out everywhere?',
    explain: 'Every session of your account ends now, this one included. You can log in again at once.',
    busy: 'Logging out...',
    done: 'You are logged out everywhere',
    failed: 'The sessions could not be ended',
  },
}
