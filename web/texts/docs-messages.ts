// The API docs. Words about an endpoint come from the contract.
const plural = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`

export const docs = {
  version: 'v1',
  copied: 'Copied to clipboard',
  copiedCurl: 'You can now paste the cURL command into your terminal',
  copiedCode: 'Code example copied successfully',
  copyFailed: 'Failed to copy',
  copyFailedText: 'Please try again or copy manually',
  copy: 'Copy',
  /** Said to screen readers after copying. */
  copiedMark: 'Copied',
  search: 'Search endpoints',
  categories: { all: 'All APIs', auth: 'Auth', database: 'Database', images: 'Images', 'api-keys': 'API Keys' },
  contact: 'Contact',
  strip: 'API categories',
  scrollLeft: 'Earlier categories',
  scrollRight: 'More categories',
  count: (n: number) => plural(n, 'endpoint'),
  sections: 'API documentation',
  tabs: { overview: 'Overview', authentication: 'Authentication', endpoints: 'Endpoints', examples: 'Examples' },
}

export const overview = {
  lead: 'Upload, deliver and manage images from your own code. Plain HTTP, JSON in and JSON out, pictures as they are.',
  base: 'Base URL',
  baseText: 'Every path in this documentation goes behind it.',
  copyBase: 'Copy base URL',
  first: 'Your first request',
  firstText: 'This one needs no key. Paste it into your terminal:',
  rates: 'Rate limits',
  rateColumns: { who: 'Who', rate: 'Requests' },
  rateDefault: 'Everyone: by user or API key, else by address',
  rateAdmin: 'Admins',
  rateOfDefault: (n: number) => `${n} requests per minute by default`,
  rateOfAdmin: (n: number) => `${n} for admin`,
  rateText:
    'Replies say where you stand: RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset. Past the limit comes 429 with Retry-After, in seconds. The bytes of pictures are not counted. The operator of a site may set other limits.',
  statuses: 'HTTP status codes',
  statusText:
    'A failure is JSON with error, a text for people, and code, a name for programs. Programs should look at code.',
  statusColumns: { status: 'Status', meaning: 'Meaning' },
  reference: 'API reference',
  referenceText: 'Everything here is also an OpenAPI 3.1 document, for generators and clients:',
  referenceLink: 'Open /api/openapi.json',
  versioning: 'Versioning',
  versioningText: (version: string) =>
    `This is version ${version}. Fields may be added to replies at any time, so ignore what you do not know. What would break a client comes as a new version, beside this one.`,
}

/** The names of statuses, and what each means here. */
export const statusWords: Readonly<Record<number, readonly [name: string, meaning: string]>> = {
  200: ['OK', 'It is done; the reply has what was asked for'],
  201: ['Created', 'Something new was made; the reply describes it'],
  400: ['Bad Request', 'The request is not understood: the text names the field and its problem'],
  401: ['Unauthorized', 'Credentials missing or invalid'],
  403: ['Forbidden', 'No permission'],
  404: ['Not Found', 'There is nothing at this address'],
  405: ['Method Not Allowed', 'The path exists, but not for this method'],
  408: ['Request Timeout', 'The request came too slowly'],
  409: ['Conflict', 'It does not fit what is there already'],
  410: ['Gone', 'The image was here, and has expired or was deleted'],
  413: ['Content Too Large', 'The file or the body is larger than allowed'],
  415: ['Unsupported Media Type', 'Another type of file or body is needed'],
  416: ['Range Not Satisfiable', 'The file is shorter than the range that was asked for'],
  417: ['Expectation Failed', 'No expectation is met but 100-continue'],
  422: ['Unprocessable Content', 'The image is broken, or over a limit'],
  429: ['Too Many Requests', 'Wait as long as Retry-After says'],
  431: ['Header Fields Too Large', 'The address and the headers are longer than allowed'],
  500: ['Server Error', 'Something went wrong on our side'],
  503: ['Service Unavailable', 'The server is busy: try again in a moment'],
  507: ['Insufficient Storage', 'There is no space left'],
}

export const authentication = {
  sections: 'Ways to authenticate',
  tabs: { bearer: 'Bearer Authentication', 'api-keys': 'API Keys', roles: 'Authorization Roles' },
  header: 'Authorization: Bearer YOUR_API_KEY',
  copyHeader: 'Copy header',
  bearer: (idleDays: number, maxDays: number) => [
    'Send your credential in the Authorization header of every request that needs one. It is either an API key or the token that POST /api/login answers.',
    `A token is a session: it ends after ${idleDays} days without use, after ${maxDays} days at the latest, and when you log out or change your password. Never put a credential into an address: addresses end up in logs.`,
  ],
  example: 'With the header',
  login: 'Get a token',
  wrong:
    'Without a credential, or with one that has ended, such an endpoint answers 401. Ask for a new token, then try again.',
  keys: [
    'An API key stands for you in your own programs. It uploads and manages your images, and does nothing else: it makes no keys, reads no accounts and never acts as an admin.',
    'A key is shown once, when it is made. Keep it where your program keeps its secrets, give each program a key of its own, and delete a key that may have been seen: it stops working at once.',
  ],
  keysLink: 'Manage your API keys',
  accepting: 'Endpoints that accept an API key',
  roles: 'Who may do what',
  roleColumns: { role: 'Role', access: 'Access', count: 'Endpoints' },
  roleRows: {
    admin: ['Admin', 'Full access', 'Accounts, figures, backups and cleanup, and everything a user may do'],
    user: ['User', 'Signed in', 'Their own images, keys and account, and the database view with its PIN'],
    guest: ['Guest', 'Public endpoints only', 'Uploads, public pictures, and the images they have uploaded themselves'],
  },
  guest: 'Images of guests',
  guestText:
    'A guest has no account. The reply to a guest’s upload carries delete_token: a secret for this one image, shown once. Send it in the X-Guest-Token header to delete or extend the image.',
  guestHeader: 'X-Guest-Token: DELETE_TOKEN',
  guestEndpoints: 'Endpoints that accept a guest token',
}

export const endpoints = {
  category: 'Category',
  all: 'All Endpoints',
  filters: 'Filter by category',
  columns: { method: 'Method', path: 'Path', description: 'Description', auth: 'Auth', actions: 'Actions' },
  auth: { public: 'Public', user: 'Required', admin: 'Admin' },
  copyCurl: 'Copy cURL command',
  view: 'View details',
  /** After a button's words, for screen readers. */
  of: (endpoint: string) => ` of ${endpoint}`,
  none: 'No endpoints found for this category',
  clear: 'Clear search',
  found: (shown: number, all: number) =>
    shown === all ? plural(all, 'endpoint') : `${shown} of ${plural(all, 'endpoint')}`,
  keys: 'In the table: arrows move, Enter opens, C copies the cURL command.',
}

export const examples = {
  curl: 'cURL',
  curlText: 'Four calls that admins make. Each needs the token of an admin.',
  upload: 'Upload an image',
  uploadText: 'The same call in your language. It sends photo.jpg from the folder the program runs in.',
  language: 'Language',
  code: (what: string) => ` of ${what}`,
}

export const detail = {
  access: { public: 'Public', user: 'Authentication Required', admin: 'Admin' },
  acceptsKey: 'Accepts an API key',
  copyLink: 'Copy link',
  tabs: { examples: 'Examples', parameters: 'Parameters', responses: 'Responses', try: 'Try it' },
  sections: 'About this endpoint',
  insertKey: 'Insert my key',
  insertKeyText: 'An API key or token, for the code shown here only. It is never stored.',
  sample: 'Sample call',
  params: 'Path params',
  query: 'Query params',
  headers: 'Headers',
  body: 'Request body',
  form: 'multipart/form-data',
  json: 'application/json',
  columns: { name: 'Name', type: 'Type', required: 'Required', description: 'Description' },
  required: 'Required',
  optional: 'Optional',
  noParameters: 'This endpoint takes no parameters.',
  success: 'Success',
  replies: {
    image: 'The bytes of a picture.',
    text: 'Plain text.',
    file: 'The bytes of a file.',
  },
  failures: 'Failures',
  failureColumns: { status: 'Status', code: 'Code', text: 'Text' },
}

export const tryIt = {
  intro: 'Sends a real request to this site, and what it does is done.',
  adminOnly: 'Only admins may call this endpoint, and you are not one: the server will refuse.',
  as: 'Send as',
  asSession: (email: string) => `Me (${email})`,
  asKey: 'My key',
  asNobody: 'Nobody (guest)',
  key: 'My key or token',
  empty: 'not sent',
  jsonBody: 'JSON body',
  wrongJson: (problem: string) => `This is not valid JSON: ${problem}`,
  missing: 'This is required',
  wrongPath: 'This cannot stand in a path',
  chooseFile: 'Choose a file first',
  send: 'Send request',
  sending: 'Sending...',
  cancel: 'Cancel',
  offline: 'You are offline. The request can be sent when the connection is back.',
  failed: (problem: string) => `The request got no answer: ${problem}`,
  result: 'Response',
  duration: (ms: number) => `${ms} ms`,
  said: (status: number, ms: number) => `Answered ${status} in ${ms} ms`,
  replyHeaders: 'Headers',
  replyBody: 'Body',
  noBody: 'The body is empty.',
  cut: (shown: string, all: string) => `Cut here: ${shown} of ${all} are shown.`,
  tooLarge: (max: string) => `The body is larger than ${max} and was not read.`,
  bytes: (size: string) => `${size}, not shown.`,
  save: 'Save file',
  picture: (path: string) => `The picture that ${path} answered`,
  confirmTitle: 'Send this request?',
  confirmText: (endpoint: string) => `${endpoint} changes or removes things for real, and may not be undone.`,
  confirmLogout: 'This ends your session: you will have to log in again.',
  confirm: 'Send it',
  loggedOut: 'You are logged out',
}
