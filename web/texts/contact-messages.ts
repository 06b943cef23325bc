// Texts of the contact page.

export const contact = {
  title: 'Contact Us',
  lead: 'We read everything and answer what we can.',
  unwanted: 'An image that should not be here?',
  report: 'Report an image',
  email: { title: 'Email', text: 'For questions, problems and requests to remove an image.' },
  website: { title: 'Website', text: 'About the people who run this site.' },
  social: { title: 'Social', text: 'Find us elsewhere.' },
  form: {
    title: 'Send Us a Message',
    lead: 'All fields are needed. The answer goes to the email address that you give.',
    name: 'Name',
    email: 'Email',
    subject: 'Subject',
    message: 'Message',
    submit: 'Send message',
    busy: 'Sending...',
    done: "Your message has been sent! We'll get back to you soon.",
    failed: 'Failed to send message. Please try again.',
  },
} as const
