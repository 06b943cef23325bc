// Texts of the contact page.

export const contact = {
  title: 'Contact Us',
  lead: 'We read everything and answer what we can.',
  email: {
    title: 'Email',
    text: 'For questions, problems and requests to remove an image.',
    none: 'No address has been set for this site. The form below reaches us.',
  },
  website: { title: 'Website', text: 'About the people who run this site.', home: 'This site' },
  social: { title: 'Social', text: 'Find us elsewhere.' },
  form: {
    title: 'Send Us a Message',
    lead: 'All fields are needed. The answer goes to the email address that you give.',
    name: 'Name',
    email: 'Email',
    subject: 'Subject',
    message: 'Message',
    website: 'Leave this field empty',
    submit: 'Send message',
    busy: 'Sending...',
    done: "Your message has been sent! We'll get back to you soon.",
    failed: 'Failed to send message. Please try again.',
    missing: (label: string) => `${label} is required`,
    notEmail: 'This is not an email address. It should look like name@example.com',
    tooLong: (label: string, max: number) => `${label} is longer than ${max.toLocaleString('en-US')} characters`,
    length: (length: number, max: number) =>
      `${length.toLocaleString('en-US')} of ${max.toLocaleString('en-US')} characters`,
  },
} as const
