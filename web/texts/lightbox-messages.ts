// Texts of the lightbox.

export const lightbox = {
  label: 'Image viewer',
  close: 'Close',
  previous: 'Previous image',
  next: 'Next image',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  enterFullscreen: 'Full screen',
  exitFullscreen: 'Leave full screen',
  details: 'Image details',
  addTitle: 'Add a title',
  actions: 'Actions for this image',
  position: (n: number, total: number) => `${n.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`,
  announced: (name: string, position: string) => `${name}, ${position}`,
  loading: 'Loading image',
  failed: 'This image could not be loaded.',
  retry: 'Try again',
  withKey: (label: string, key: string) => `${label} (${key})`,

  fileName: 'File name',
  dimensions: 'Dimensions',
  size: 'Size',
  type: 'Type',
  frames: (type: string, frames: number) => (frames > 1 ? `${type}, ${frames} frames` : type),
  added: 'Added',
  expires: 'Expires',
  never: 'Never',
  visibility: 'Visibility',
  private: 'Private',
  tags: 'Tags',
  views: 'Views',
  viewsLeft: 'Views left',

  form: {
    label: 'Texts of the image',
    title: 'Title',
    alt: 'Alternative text',
    altHint: 'What the image shows, for those who cannot see it',
    slug: 'Custom link',
    slugHint: 'Leads to the share page',
    suggest: 'Suggest',
    openPage: 'Open the share page',
    save: 'Save',
    saving: 'Saving...',
    saved: 'Saved',
    failed: 'The texts could not be saved',
  },
}

/** Labels of the carousel's parts. {index} and {total} are its placeholders. */
export const carousel = {
  Carousel: 'carousel',
  Slide: 'slide',
  'Photo gallery': 'Images',
  '{index} of {total}': '{index} of {total}',
}
