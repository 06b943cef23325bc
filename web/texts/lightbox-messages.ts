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
  actions: 'Actions for this image',
  position: (n: number, total: number) => `${n.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`,
  announced: (name: string, position: string) => `${name}, ${position}`,
  loading: 'Loading image',
  failed: 'This image could not be loaded.',
  retry: 'Retry',
  withKey: (label: string, key: string) => `${label} (${key})`,

  dimensions: 'Dimensions',
  pixels: (width: number, height: number) => `${width} × ${height} px`,
  size: 'Size',
  type: 'Type',
  frames: (type: string, frames: number) => (frames > 1 ? `${type}, ${frames} frames` : type),
  added: 'Added',
  expires: 'Expires',
  report: 'Report this image',
}

/** Labels of the carousel's parts. {index} and {total} are its placeholders. */
export const carousel = {
  Carousel: 'carousel',
  Slide: 'slide',
  'Photo gallery': 'Images',
  '{index} of {total}': '{index} of {total}',
}
