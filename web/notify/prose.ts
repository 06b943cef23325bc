// The text of the static pages. What it promises is what the product does (contract/limits.ts, spec/decisions.md).

export interface Chapter {
  id: string
  title: string
  paragraphs: readonly string[]
}

export const prose = {
  contents: 'On this page',
  updated: 'Last updated: November 21, 2026',
}

export const about = {
  title: 'About Us',
  lead: 'A place to put a picture and get a link. Nothing more in the way, nothing more taken.',
  chapters: [
    {
      id: 'what',
      title: 'What this is',
      paragraphs: [
        'Drop, paste or choose an image and you have an address that works anywhere: in a chat, a forum, a README, a web page. Embed code is ready to copy beside it.',
        'You do not need an account for that. With one, your images are kept longer, may be larger, and stand together in a gallery of your own.',
      ],
    },
    {
      id: 'how',
      title: 'How it treats your images',
      paragraphs: [
        'Camera data, location and other hidden metadata are removed from every file that is uploaded. The picture itself is stored as you sent it, pixel for pixel; smaller sizes are made from it when they are asked for.',
        'Guest images are kept 60 days, images of registered users 365 days by default. Any image can be extended to 1 year from today. What has expired or was deleted is no longer served.',
      ],
    },
    {
      id: 'who',
      title: 'Who runs it',
      paragraphs: [
        'This software is self-hosted: whoever runs this site runs the whole of it, on their own machine. No page of it loads a script, a font or a picture from anybody else.',
      ],
    },
  ],
  questions: 'A question, a problem, an image that should not be here?',
  contact: 'Contact Us',
} as const

export const privacy = {
  title: 'Privacy Policy',
  lead: 'What this site keeps about you, where, and for how long.',
  chapters: [
    {
      id: 'images',
      title: 'Your images',
      paragraphs: [
        'An image that you upload is public to everyone who has its address. Addresses are long and random and are listed nowhere, but an address that you share can be shared further.',
        'Before a file is stored, EXIF, GPS position, XMP and other hidden metadata are removed. Only the orientation and the colour profile, which a picture needs to look right, are kept.',
        'With the image we store its name, size, dimensions, the time of the upload and the time of its expiration.',
      ],
    },
    {
      id: 'guests',
      title: 'Guests',
      paragraphs: [
        'Guest data is kept 60 days. After that the image and its data are deleted, unless it was extended.',
        'The list of your recent uploads is in your browser only (local storage, key guest_images), together with the secret that allows you to delete or extend each image. If you clear your browser data, nobody can give you that secret back.',
      ],
    },
    {
      id: 'accounts',
      title: 'Accounts',
      paragraphs: [
        'For an account we store your email address, a name (by default the part of the email before the @) and your password, hashed with argon2id so that it cannot be read back.',
        'Images of registered users are kept 365 days by default and can be extended.',
      ],
    },
    {
      id: 'browser',
      title: 'Cookies and your browser',
      paragraphs: [
        'This site sets no cookies. When you log in, a token is kept in the local storage of your browser under the key token; it is removed when you log out. Your choice of a light or dark theme is kept there too.',
      ],
    },
    {
      id: 'others',
      title: 'Third parties',
      paragraphs: [
        'There is no advertising, no analytics and no tracking here, and the pages load nothing from other companies. We do not sell or pass on data. The operator of this site may use a hosting provider for its machines and its storage.',
        'The server notes requests in a log (time, address, path, result) to keep the service running and to limit abuse.',
      ],
    },
    {
      id: 'rights',
      title: 'Your rights',
      paragraphs: [
        'You can delete every image of yours at any time; its address and all sizes made from it stop working at once. For that address to answer that the image is gone, its id is remembered for 30 days.',
        'To see, correct or delete what is stored about you, write to us; the address is on the contact page.',
      ],
    },
  ],
} as const

export const terms = {
  title: 'Terms & Conditions',
  lead: 'The rules for using this site. By uploading an image you agree to them.',
  chapters: [
    {
      id: 'use',
      title: 'What you may upload',
      paragraphs: [
        'Upload only images that you made yourself or have the right to publish. You keep all rights to them; you allow us to store them, to make smaller sizes of them and to send them to whoever asks for their address, for that purpose alone.',
        'Not allowed: anything that is illegal where you or this server are, sexual depictions of minors, pictures that were published to harm or expose somebody, malware, and files that are meant to break the service.',
      ],
    },
    {
      id: 'limits',
      title: 'Limits',
      paragraphs: [
        'Guests: PNG, JPG/JPEG or WebP, up to 5 MB, kept 60 days. Registered users: also GIF and SVG, up to 10 MB, kept 365 days by default.',
        'Any image can be extended to 1 year from today. Expired images are removed automatically.',
        'The number of requests in a minute is limited, so that one visitor cannot slow the site down for the others.',
      ],
    },
    {
      id: 'account',
      title: 'Your account',
      paragraphs: [
        'Keep your password to yourself and tell us if somebody else has come to know it. You answer for what is uploaded with your account. An account that is used against these rules can be made inactive.',
      ],
    },
    {
      id: 'removal',
      title: 'Removal',
      paragraphs: [
        'We remove images that break these rules when we learn of them. If an image here violates your rights, write to us with its address and the reason; the way to reach us is on the contact page.',
      ],
    },
    {
      id: 'warranty',
      title: 'No warranty',
      paragraphs: [
        'The service is offered as it is. We do our best to keep images safe until they expire, but keep a copy of what matters to you: this is a place to share pictures from, not the only place to have them.',
      ],
    },
    {
      id: 'changes',
      title: 'Changes',
      paragraphs: ['These terms can change. The date above says when they last did.'],
    },
  ],
} as const

export const contact = {
  title: 'Contact Us',
  lead: 'We read everything and answer what we can.',
  email: {
    title: 'Email',
    text: 'For questions, problems and requests to remove an image.',
    none: 'No address has been set for this site.',
  },
  website: { title: 'Website', text: 'About the people who run this site.', home: 'This site' },
  social: { title: 'Social', text: 'Find us elsewhere.', links: ['GitHub', 'Mastodon', 'Bluesky'] },
} as const
