// The texts of the embed dialog.

export const embed = {
  title: 'Embed code',
  formats: 'Format',
  code: (format: string) => `${format} code`,
  width: 'Width',
  px: (width: number) => `${width} px`,
  original: 'Original',
  originalPx: (width: number) => `Original (${width} px)`,
  link: 'Links to',
  linkTargets: { none: 'Nothing', image: 'The image', page: 'Its page' },
  alt: 'Alt text',
  altHint: 'Say what the image shows.',
  decorative: 'Decorative image: screen readers skip it.',
  responsive: 'Responsive',
  responsiveHint: 'Phones load a smaller image.',
  asIs: 'Animations and drawings are embedded as they are.',
  unknownSize: 'The size of this image is not known here.',
  preview: 'Preview',
  previewOf: (alt: string) => (alt === '' ? 'Preview of the image' : alt),
  size: (width: number, height: number) => `${width} × ${height}`,
}
