// Texts of the API documentation. Texts about single endpoints come from the contract.
const plural = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`

export const docs = {
  version: 'v1',
  copied: 'Copied to clipboard',
  copiedCurl: 'You can now paste the cURL command into your terminal',
  copiedCode: 'Code example copied successfully',
  copyFailed: 'Failed to copy',
  copyFailedText: 'Please try again or copy manually',
  copy: 'Copy',
  /** Announced by screen readers after copying. */
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
  lead: 'Upload, deliver and manage images from your own code. Plain HTTP: requests and responses are JSON, images are files.',
  base: 'Base URL',
  baseText: 'All paths in this documentation are relative to this URL.',
  copyBase: 'Copy base URL',
  first: 'Your first request',
  firstText: 'Upload an image. This request needs no credential; run it in a folder with a photo.jpg:',
  rates: 'Rate limits',
  rateColumns: { who: 'Caller', rate: 'Requests' },
  rateDefault: 'Users and API keys; otherwise client addresses',
  rateAdmin: 'Admins',
  rateOfDefault: (n: number) => `${n} requests per minute by default`,
  rateOfAdmin: (n: number) => `${n} for admin`,
  rateText:
    'Responses carry the headers RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset. Requests above the limit fail with 429 and Retry-After, in seconds. Image delivery is not counted. The operator of a site may set other limits.',
  statuses: 'HTTP status codes',
  statusText:
    'A failure is JSON with error, a text for people, and code, an identifier for programs. Programs should check code.',
  statusColumns: { status: 'Status', meaning: 'Meaning' },
  reference: 'API reference',
  referenceText: 'This reference is also available as an OpenAPI 3.1 document, for code generators and API clients:',
  referenceLink: 'Open /api/openapi.json',
  versioning: 'Versioning',
  versioningText: (version: string) =>
    `This is version ${version}. Fields may be added to responses at any time, so ignore fields that you do not know. Breaking changes are released as a new version, next to this one.`,
}

/** Names of the statuses, and their meaning in this API. */
export const statusWords: Readonly<Record<number, readonly [name: string, meaning: string]>> = {
  200: ['OK', 'The request succeeded; the body has the result'],
  201: ['Created', 'The resource was created; the body describes it'],
  400: ['Bad Request', 'The request is invalid; the text names the field and the problem'],
  401: ['Unauthorized', 'Credentials missing or invalid'],
  403: ['Forbidden', 'No permission'],
  404: ['Not Found', 'No such endpoint or resource'],
  405: ['Method Not Allowed', 'The path does not support this method'],
  408: ['Request Timeout', 'The request was not received in time'],
  409: ['Conflict', 'The request conflicts with the current state'],
  410: ['Gone', 'The image has expired or was deleted'],
  413: ['Content Too Large', 'The file or the body exceeds the size limit'],
  415: ['Unsupported Media Type', 'The type of the file or body is not supported'],
  416: ['Range Not Satisfiable', 'The requested range is outside of the file'],
  417: ['Expectation Failed', 'The only supported expectation is 100-continue'],
  422: ['Unprocessable Content', 'The image is broken or exceeds a limit'],
  429: ['Too Many Requests', 'Rate limit exceeded; retry after the seconds in Retry-After'],
  431: ['Header Fields Too Large', 'The request line and headers exceed the size limit'],
  500: ['Server Error', 'Internal server error'],
  503: ['Service Unavailable', 'The server is overloaded or its storage is unavailable; retry later'],
  507: ['Insufficient Storage', 'The server has no storage space left'],
}

export const authentication = {
  sections: 'Ways to authenticate',
  tabs: { bearer: 'Bearer Authentication', 'api-keys': 'API Keys', roles: 'Authorization Roles' },
  header: 'Authorization: Bearer YOUR_API_KEY',
  copyHeader: 'Copy header',
  bearer: (idleDays: number, maxDays: number) => [
    'Send your credential in the Authorization header of every request that requires one: an API key, or the session token that POST /api/login returns.',
    `A session token expires after ${idleDays} days without use, after ${maxDays} days at the latest, and when you log out or change your password. Never put a credential into a URL: URLs end up in logs.`,
  ],
  example: 'Example request',
  login: 'Get a token',
  wrong:
    'Without a credential, or with an expired one, the request fails with 401. Log in for a new token, then retry.',
  keys: [
    'An API key authenticates you in your own programs. It can only upload and manage your images: it cannot create keys, read accounts or act as an admin.',
    'A key is shown once, when it is created. Store it with the secrets of your program, use a separate key for each program, and delete a key that may have leaked: it stops working immediately.',
  ],
  keysLink: 'Manage your API keys',
  accepting: 'Endpoints that accept an API key',
  roles: 'Who may do what',
  roleColumns: { role: 'Role', access: 'Access', count: 'Endpoints' },
  roleRows: {
    admin: ['Admin', 'Full access', 'User management, statistics, backups and cleanup, and everything a user may do'],
    user: ['User', 'Signed in', 'Their own images, API keys and account, and the database browser with its PIN'],
    guest: ['Guest', 'Public endpoints only', 'Uploads, public images, and the images that they uploaded'],
  },
  guest: 'Guest images',
  guestText:
    'The response to an upload without an account contains delete_token: a secret for this image, returned once. Send it in the X-Guest-Token header to delete or extend the image.',
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
  /** Appended to the label of a button, for screen readers. */
  of: (endpoint: string) => ` of ${endpoint}`,
  none: 'No endpoints found for this category',
  clear: 'Clear search',
  found: (shown: number, all: number) =>
    shown === all ? plural(all, 'endpoint') : `${shown} of ${plural(all, 'endpoint')}`,
  keys: 'In the table: arrows move, Enter opens, C copies the cURL command.',
}

export const examples = {
  curl: 'cURL',
  curlText: 'Four requests for admins. Each requires the token of an admin.',
  upload: 'Upload an image',
  uploadText: 'The same request in your language. It sends photo.jpg from the working directory of the program.',
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
  insertKeyText: 'An API key or token, used only in the code shown here. It is never stored.',
  sample: 'Sample request',
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
  bodies: {
    image: 'The bytes of an image.',
    text: 'Plain text.',
    file: 'The bytes of a file.',
  },
  failures: 'Failures',
  failureColumns: { status: 'Status', code: 'Code', text: 'Text' },
}

export const tryIt = {
  intro: 'Sends a real request to this site; its changes are real.',
  adminOnly: 'Only admins may call this endpoint: the server will refuse your request.',
  as: 'Send as',
  asSession: (email: string) => `Me (${email})`,
  asKey: 'My key',
  asGuest: 'No credential (guest)',
  key: 'My key or token',
  empty: 'not sent',
  jsonBody: 'JSON body',
  wrongJson: (problem: string) => `This is not valid JSON: ${problem}`,
  missing: 'This is required',
  wrongPath: 'This is not allowed in a path',
  chooseFile: 'Choose a file first',
  send: 'Send request',
  sending: 'Sending...',
  cancel: 'Cancel',
  offline: 'You are offline. The request can be sent when the connection is back.',
  failed: (problem: string) => `The request failed without a response: ${problem}`,
  result: 'Response',
  duration: (ms: number) => `${ms} ms`,
  said: (status: number, ms: number) => `Status ${status} in ${ms} ms`,
  replyHeaders: 'Headers',
  replyBody: 'Body',
  noBody: 'The body is empty.',
  cut: (shown: string, all: string) => `Truncated: ${shown} of ${all} are shown.`,
  tooLarge: (max: string) => `The body is larger than ${max} and was not loaded.`,
  bytes: (size: string) => `${size}, not shown.`,
  save: 'Save file',
  picture: (path: string) => `The image returned by ${path}`,
  confirmTitle: 'Send this request?',
  confirmText: (endpoint: string) => `${endpoint} changes or deletes real data. This may be irreversible.`,
  confirmLogout: 'This ends your session: you will have to log in again.',
  confirm: 'Send it',
  loggedOut: 'You are logged out',
}
