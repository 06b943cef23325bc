// Texts of the static pages. Statements must match the product (contract/plain/limits.ts, docs/configuration.md).
// pages/prose-page.tsx fills in the numbers of this site: {guestSize}, {guestDays}, {userSize}, {userDays}.
import { listFormats, userOnlyFormats } from '../../contract/plain/formats.ts'
import { formatList } from './format-list.ts'

export interface Chapter {
  id: string
  title: string
  paragraphs: readonly string[]
  /** A list after the paragraphs: terms and their descriptions. */
  points?: readonly (readonly [subject: string, text: string])[]
}

export const prose = {
  contents: 'On this page',
  updated: 'Last updated: November 28, 2026',
}

export const about = {
  title: 'About Us',
  lead: 'A place to put a picture and get a link. Nothing more in the way, nothing more taken.',
  chapters: [
    {
      id: 'what',
      title: 'What this is',
      paragraphs: [
        'Drop, paste or choose an image and you have an address that works anywhere: in a chat, a forum, a README, a web page. Embed code for twelve languages and frameworks is ready to copy beside it.',
        'You do not need an account for that. With one, your images are kept longer, may be larger, and stand together in a gallery of your own.',
      ],
    },
    {
      id: 'whom',
      title: 'Who it is for',
      paragraphs: [],
      points: [
        ['Anyone with a picture to show.', 'No account, no form: the link is there a moment after the drop.'],
        [
          'People who publish.',
          'A gallery with search, alerts before images expire, and one click to keep an image for another year.',
        ],
        [
          'Developers.',
          'API keys, documented endpoints, and sizes and formats made from the address alone: any width, as JPEG or WebP.',
        ],
      ],
    },
    {
      id: 'how',
      title: 'How it works',
      paragraphs: [
        'Camera data, location and other hidden metadata are removed from every file before it is stored. The picture itself is not touched by that; smaller sizes are made from it when they are first asked for.',
        'Images that you upload with an account are turned into WebP in your browser, which makes most of them much smaller before they travel. Animations and drawings stay as they are.',
        'Guest images are kept {guestDays}, images of registered users {userDays} by default. Any image can be extended to 1 year from today. What has expired or was deleted is no longer served.',
      ],
    },
    {
      id: 'who',
      title: 'Who runs it',
      paragraphs: [
        'This software is self-hosted: whoever runs this site runs the whole of it, on a machine of their own choice. There is no advertising and no tracking, and no page loads a script, a font or a picture from anybody else.',
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
      id: 'short',
      title: 'In short',
      paragraphs: [
        'We keep what it takes to show your images and to let you manage them, for as long as the images live. There are no cookies, no advertising, no analytics and no profiles. "We" is whoever runs this site; how to reach us is on the contact page.',
      ],
    },
    {
      id: 'images',
      title: 'Your images',
      paragraphs: [
        'An image that you upload is public to everyone who has its address. Addresses are long and random and are listed nowhere, but an address that you share can be shared further.',
        'Before a file is stored, EXIF, GPS position, XMP and other hidden metadata are removed. Only the orientation and the colour profile, which a picture needs to look right, are kept.',
        'With the image we store its name, format, size, dimensions and average colour, the time of the upload and the time of its expiration, whose it is, and what you add: a title, tags, albums and links.',
        'We may count how often an image is viewed on each day. Nothing is stored about who viewed it.',
      ],
    },
    {
      id: 'guests',
      title: 'Guests',
      paragraphs: [
        'Guest data is kept {guestDays}. After that the image and its data are deleted, unless it was extended.',
        'The list of your recent uploads is in your browser only, together with the secret that allows you to delete or extend each image. We keep a hash of that secret. If you clear your browser data, nobody can give you the secret back.',
      ],
    },
    {
      id: 'accounts',
      title: 'Accounts',
      paragraphs: [
        'For an account we store your email address, a name (by default the part of the email before the @) and your password, hashed so that it cannot be read back; and of each login the kind of browser, the network of its last use and the times, which you see on the account page. Images of registered users are kept {userDays} by default and can be extended.',
      ],
      points: [
        [
          'Sessions.',
          'When a session began and when it was last used. It ends when you log out, or by itself. Of each browser in which you log in we keep a hash, so that we can write to you about a login from a new one.',
        ],
        [
          'Other ways to log in.',
          'If you set them up: the key of your authenticator app, the public keys and names of your passkeys, hashes of your recovery codes, and which account at another site you log in with.',
        ],
        [
          'API keys.',
          'Name, first characters and a hash of each key, what it may do, when it was made, how much was uploaded with it, and when and from which network (a shortened address) it was last used.',
        ],
        [
          'Webhooks.',
          'If you set them up: the addresses that receive events of your images, which events, and how the last deliveries went.',
        ],
        ['Shared albums.', 'The email addresses that you invite, and the albums of others that you have joined.'],
        [
          'Mail.',
          'We write to you about your account, its logins, keys and webhooks, about reports of your images, and when images are about to expire: at most one digest a day, which you can switch off. Your address is used for nothing else.',
        ],
      ],
    },
    {
      id: 'browser',
      title: 'Cookies and your browser',
      paragraphs: [
        'This site sets no cookies. It uses the local storage of your browser for what it needs there, and nothing in it is read by others. You can clear it at any time.',
      ],
      points: [
        ['token:', 'your session, from logging in until you log out.'],
        ['guest_images:', 'the images that you uploaded without an account, with the secret of each.'],
        ['Preferences:', 'a light or dark theme, grid or list, the embed format that you used last, and the like.'],
        ['Uploads under way:', 'images that wait to be sent, so that a reload does not lose them.'],
      ],
    },
    {
      id: 'logs',
      title: 'Logs and IP addresses',
      paragraphs: [
        'The server notes requests in a log: time, IP address, path and result, never passwords, tokens or keys. The log serves to keep the service running and to find abuse; we keep it no longer than that needs.',
        'Logins, deletions and changes of accounts, keys and backups are noted with account, time and IP address, by default for a year, so that abuse can be traced. With each image we keep a hash of the IP address that it came from, by default for 30 days; the address cannot be read from it. If uploads from that address are blocked, the hash is kept as long as the block.',
        'To limit how much one visitor can ask for, requests, guest uploads, contact messages, reports and failed logins are counted for each IP address. The counts are removed soon after the time that they are for, at most a day.',
      ],
    },
    {
      id: 'contact',
      title: 'Messages to us',
      paragraphs: [
        'What you write in the contact form, with the name and the email address that you give, is stored so that no message is lost, and passed on to our mailbox. We keep it until the matter is settled. Tell us if you want it deleted earlier.',
      ],
    },
    {
      id: 'reports',
      title: 'Reports of images',
      paragraphs: [
        'When you report an image, we store the reason, what you write and, if you give it, your email address. Only the admins of this site see them: the owner of the image learns the reason at most. We delete them a year after the decision.',
      ],
    },
    {
      id: 'others',
      title: 'Third parties',
      paragraphs: [
        'The pages load nothing from other companies. We do not sell data and pass none on, unless the law obliges us to.',
        'We may use a provider for our machines, our storage and our mail, who then processes data for us and for no other purpose. If this site has set up the EmailJS service for its contact form, messages from the form are sent through it.',
      ],
    },
    {
      id: 'deletion',
      title: 'Deletion and backups',
      paragraphs: [
        'You can delete every image of yours at any time. Its address and all sizes made from it stop working at once, and the file is deleted when it can no longer be undone: moments later, or after the days for which this site lets you restore it under Recently deleted. Only you can see it there, and you can delete it for good at once. Expired images are removed automatically.',
        'So that an old address can answer that its image is gone, its id alone is remembered for 30 days. Copies that other people saved, and copies in caches on the way to them, are beyond our reach; caches are told to ask again after an hour.',
        'You can delete your account with everything in it on the account page, in 7 days or at once. Then nothing of it is left here but ids without a name: in the note of what was done, and so that old addresses can answer that their image is gone.',
        'We may take backups against the loss of data. What you delete stays in older backups until those are replaced, and is not brought back from them on purpose.',
      ],
    },
    {
      id: 'security',
      title: 'Security',
      paragraphs: [
        'Passwords, API keys and the secrets of guest images are stored as hashes only. Files are checked by their content, not by their name, and served so that they cannot act as web pages. No system is without fault: if you find one in ours, please write to us first.',
      ],
    },
    {
      id: 'rights',
      title: 'Your rights',
      paragraphs: [
        'You may see what is stored about you, have it corrected, have it handed over, or have it deleted together with your account. The account page hands it over as one archive and deletes the account; for anything else write to us from the address of your account, and we answer within a month. Where the law gives you more, such as a complaint to a data protection authority, that stays untouched.',
        'We store what is described here because you asked for the service (accounts, images, messages), and because we have a legitimate interest in keeping it safe (logs and limits).',
      ],
    },
    {
      id: 'children',
      title: 'Children',
      paragraphs: [
        'This site is not made for children under 16, and we do not knowingly keep their data. If a child has uploaded something or opened an account here, write to us and we delete it.',
      ],
    },
    {
      id: 'changes',
      title: 'Changes',
      paragraphs: [
        'When what we store changes, this page changes with it, and so does the date above. If a change matters to accounts that exist, we say so by email before it takes effect.',
      ],
    },
  ],
} as const

export const terms = {
  title: 'Terms & Conditions',
  lead: 'The rules for using this site. By uploading an image or opening an account you agree to them.',
  chapters: [
    {
      id: 'service',
      title: 'The service',
      paragraphs: [
        'This site stores images and gives each an address under which anyone who has it can see the image. It is free of charge. You can use it as a guest or with an account.',
      ],
    },
    {
      id: 'use',
      title: 'Acceptable use',
      paragraphs: ['You are responsible for what you upload and for where you publish its address. Not allowed are:'],
      points: [
        ['Illegal content:', 'whatever is against the law where you or this server are.'],
        ['Abuse of children:', 'sexual depictions of minors in any form. We report them.'],
        [
          'Harm to people:',
          'private or intimate pictures without consent, threats, incitement to hatred or violence, and pictures meant to expose somebody.',
        ],
        ['Deception:', 'pictures for fraud, phishing or in the name of somebody else.'],
        ['Attacks:', 'malware, files made to break the service, and attempts to get around its limits.'],
        [
          'Misuse as storage:',
          'data that is no picture, hidden in one, or traffic that slows the site down for others.',
        ],
      ],
    },
    {
      id: 'rights',
      title: 'Rights to your images',
      paragraphs: [
        'Upload only images that you made yourself or have the right to publish. You keep all rights to them.',
        'You allow us to store them, to make smaller sizes and other formats of them, and to send them to whoever asks for their address: for running this service alone, and only until the image is deleted or expires.',
      ],
    },
    {
      id: 'limits',
      title: 'Limits',
      paragraphs: [
        `Guests: ${formatList('guest')}, up to {guestSize}, kept {guestDays}. Registered users: also ${listFormats(userOnlyFormats, 'and')}, up to {userSize}, kept {userDays} by default.`,
        'Any image can be extended to 1 year from today; how long guests can keep one in total is limited. Expired images are removed automatically. We try to warn registered users 7 days before, but keeping an eye on the dates is up to you.',
        'The number of requests in a minute, of uploads in an hour, and the storage of an account are limited, so that one visitor cannot slow the site down or fill it for the others.',
      ],
    },
    {
      id: 'account',
      title: 'Your account',
      paragraphs: [
        'Give an email address that is yours, keep your password to yourself, and tell us if somebody else has come to know it. You answer for what is uploaded with your account and with its API keys.',
      ],
    },
    {
      id: 'api',
      title: 'Use of the API',
      paragraphs: [
        'Programs may use the API with a key of their owner. The same rules and limits hold for them as for people: 120 requests a minute unless this site has set another number. Keep keys out of public code; a key that has become known should be deleted at once.',
        'The API is versioned (v1). We keep it stable and announce what must change, but we cannot promise that it never does.',
      ],
    },
    {
      id: 'removal',
      title: 'Reports and removal',
      paragraphs: [
        'If an image here violates your rights or these rules, report it by way of the contact page. Please give the address of the image, the reason, and, where it is about your own rights, who you are and how we can reach you.',
        'We look at every report and remove what has to go, as a rule within a few days and at once where it is urgent. Whoever uploaded the image may object in the same way. We remove images that break these rules without a report, too, when we learn of them.',
      ],
    },
    {
      id: 'availability',
      title: 'Availability',
      paragraphs: [
        'We do our best to keep the site running and your images safe until they expire, but we do not promise that it is available at all times. Maintenance and faults happen.',
        'Keep a copy of what matters to you: this is a place to share pictures from, not the only place to have them.',
      ],
    },
    {
      id: 'liability',
      title: 'Liability',
      paragraphs: [
        'The service is offered as it is and free of charge. As far as the law allows, we are not liable for lost images, for interruptions, or for what others do with an address that you shared. Liability for intent, gross negligence and injury to people stays untouched.',
        'If a third party makes claims against us because of something that you uploaded against these rules, you bear what that costs us.',
      ],
    },
    {
      id: 'end',
      title: 'Ending it',
      paragraphs: [
        'You can stop at any time: the account page deletes your account with all its images. We can make an account inactive that is used against these rules, and end the service as a whole; then we say so early enough for you to fetch your images.',
      ],
    },
    {
      id: 'changes',
      title: 'Changes',
      paragraphs: [
        'These terms can change. The date above says when they last did; whoever goes on using the site after that agrees to them as they then are. If one of these rules should not hold, the others still do.',
      ],
    },
  ],
} as const
