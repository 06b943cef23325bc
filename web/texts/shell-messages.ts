// Texts of the frame around the pages of a signed-in user, and the list of keys.

export const shell = {
  notifications: 'Notifications',
  notificationsWith: (n: number) => `Notifications, ${n} ${n === 1 ? 'image' : 'images'} expiring soon`,
  count: (n: number) => (n > 99 ? '99+' : String(n)),
  links: 'Links',
  developers: 'Developers',
  account: 'Account',
  admin: 'Admin',
  adminWith: (reports: number) => `Admin, ${reports} ${reports === 1 ? 'report' : 'reports'} to decide`,
  find: 'Search and commands',
  shortcuts: 'Keyboard shortcuts',
  upload: 'Upload',
  menu: 'Menu',
  authRequired: 'Authentication required',
}

/** The pages under the entry Developers. */
export const developers = {
  title: 'Developers',
  keys: 'API keys',
  webhooks: 'Webhooks',
  docs: 'Documentation',
  tools: 'Tools',
}

interface KeyGroup {
  title: string
  /** Keys of one shortcut, pressed together or in sequence; alternatives are in one row. */
  keys: readonly (readonly [ways: readonly string[], does: string])[]
}

/** `Mod` is Ctrl, or Cmd on a Mac. */
export const shortcuts: { title: string; off: string; offText: string; or: string; groups: readonly KeyGroup[] } = {
  title: 'Keyboard shortcuts',
  off: 'Single-key shortcuts',
  offText: 'Keys without Ctrl or Cmd. They never work while you type in a field.',
  or: 'or',
  groups: [
    {
      title: 'Anywhere',
      keys: [
        [['Mod K'], 'Search and commands'],
        [['?'], 'This list'],
        [['/'], 'Search'],
        [['U'], 'Choose image'],
        [['Mod V'], 'Paste image'],
        [['G D'], 'Go to dashboard'],
        [['G B'], 'Go to albums'],
        [['G N'], 'Go to notifications'],
        [['G K'], 'Go to API Key Management'],
        [['G A'], 'Go to API Documentation'],
        [['F8'], 'Go to messages'],
        [['Esc'], 'Close what is on top'],
      ],
    },
    {
      title: 'Images',
      keys: [
        [['Arrow keys', 'Home', 'End', 'PgUp', 'PgDn'], 'Move'],
        [['Enter'], 'Open'],
        [['Space', 'X'], 'Select'],
        [['Shift Arrow keys'], 'Select a range'],
        [['Mod A'], 'Select all'],
        [['C'], 'Copy URL'],
        [['S'], 'Share'],
        [['E'], 'Embed code'],
        [['A'], 'Analyze'],
        [['D'], 'Download'],
        [['L'], 'Extend to 1 year'],
        [['T'], 'Tags'],
        [['B'], 'Add to album'],
        [['Delete'], 'Delete'],
        [['Mod Z'], 'Undo'],
        [['Shift F10'], 'All actions'],
        [['V'], 'Grid or list'],
      ],
    },
    {
      title: 'Album',
      keys: [
        [['Alt Arrow keys', 'Alt Home', 'Alt End'], 'Move the image, or the selected ones'],
        [['R'], 'Remove from album'],
        [['Enter'], 'Save a title'],
        [['Esc'], 'Cancel a drag'],
      ],
    },
    {
      title: 'One image',
      keys: [
        [['←', '→'], 'Previous, next'],
        [['+', '-', '0'], 'Zoom'],
        [['F'], 'Full screen'],
        [['I'], 'Information'],
        [['C', 'S', 'E', 'A', 'D'], 'Copy, share, embed, analyze, download'],
        [['L'], 'Extend to 1 year'],
        [['Delete'], 'Delete'],
        [['Esc'], 'Close'],
      ],
    },
    {
      title: 'Database View',
      keys: [
        [['↑', '↓'], 'Row'],
        [['Space'], 'Select'],
        [['Shift ↑', 'Shift ↓'], 'Select a range'],
        [['Enter'], 'Open the document'],
        [['E'], 'Edit'],
        [['Mod S'], 'Save'],
        [['J'], 'JSON or GUI'],
        [['[', ']'], 'Previous, next page'],
        [['Alt ←'], 'Back one level'],
        [['Esc'], 'Cancel, close'],
      ],
    },
  ],
}
