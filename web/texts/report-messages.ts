// Texts of the page for reporting an image.

export const report = {
  title: 'Report an Image',
  lead: 'Tell us about an image on this site that should not be here. We look at every report.',
  formLabel: 'Report',
  image: 'Image address',
  imageHint: 'The address of the image or its page, its file name or its id.',
  reason: 'Reason',
  chooseReason: 'Choose a reason',
  reasonMissing: 'Choose a reason',
  comment: 'What is wrong?',
  commentName: 'The text',
  commentMissing: 'Say what is wrong',
  commentHint: 'Optional, unless the reason is Other.',
  email: 'Your email',
  emailHint: 'Optional, for questions. Only the admins of this site see it.',
  submit: 'Send report',
  busy: 'Sending...',
  failed: 'Failed to send report. Please try again.',
  sentTitle: 'Thank you',
  sent: 'Your report has been sent. We look at the image and decide what to do.',
  another: 'Report another image',
} as const
