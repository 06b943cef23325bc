// Texts of the dialog about the views of an image.
const number = (n: number) => n.toLocaleString('en-US')
const counted = (n: number) => (n === 1 ? '1 view' : `${number(n)} views`)

export const views = {
  title: 'Statistics',
  perDay: 'Views per day',
  column: 'Views',
  counted,
  none: (total: number) => (total === 0 ? 'No views yet' : 'No views in the last 30 days'),
  inTotal: (n: number) => `${counted(n)} in total`,
  explained: 'Views by robots and your own views on this site are not counted. Nothing is stored about who viewed it.',
  notCounted: 'This server does not count views.',
  loading: 'Loading the views',
  failed: 'The views could not be loaded',
  limit: 'Delete after N views',
  consequence: 'After the last view the image is deleted for everyone, for you too. This cannot be undone.',
  limitField: 'Number of views',
  limitHint: 'Each time the image is sent counts, in any size. Link previews do not show it.',
  /** Below the heading, while there is a limit. */
  left: (n: number) => `${counted(n)} left. After the last one the image is deleted for good.`,
  range: (max: number) => `Enter a whole number from 1 to ${number(max)}`,
  set: 'Set limit',
  change: 'Change limit',
  remove: 'Remove limit',
  saved: (left: number | null) => (left === null ? 'The limit is removed' : `The limit is set: ${counted(left)} left`),
  saveFailed: 'The limit could not be saved',
}
