// The texts of the share sheet.

export const share = {
  title: 'Share',
  imageTitle: 'Title',
  addTitle: 'Add a title',
  saving: 'Saving...',
  saved: 'Saved',
  failed: 'The title could not be saved',
  copyLink: 'Copy link',
  toApp: 'Send to an app',
  copyFormat: (format: string) => `Copy ${format}`,
  copyEmbed: (format: string) => `Copy ${format} code`,
  preview: 'How it looks in a chat',
  previewHint: 'From the share page, as chats read it.',
  previewLoading: 'Loading the preview...',
  previewFailed: 'The preview could not be loaded.',
  previewGone: 'The image is gone or not available: this link shows nothing now.',
  more: 'More',
  links: 'Links and codes',
  embed: 'Embed code',
  qr: 'QR code',
  qrLabel: (name: string) => `QR code of the share page of ${name}`,
}
