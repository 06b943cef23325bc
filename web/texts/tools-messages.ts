// Tools: the set-up of other programs that upload here.
import type { ClientId } from '../../contract/client-setups/clients.ts'
import { days } from './counts.ts'

export const tools = {
  intro: 'Upload from the programs you already use. Choose one and get its file or settings, filled in for this site.',
  search: 'Search apps',
  list: 'Apps',
  all: 'All apps',
  found: (n: number, all: number) => `${n} of ${all} apps`,
  anyPlatform: 'Any system',
  groups: {
    screenshots: 'Screenshots',
    uploaders: 'Uploaders',
    writing: 'Writing',
    phones: 'Phones',
    automation: 'Scripts and automation',
  },
  key: {
    title: 'Its key',
    create: (client: string) => `Create a key for ${client}`,
    creating: 'Creating...',
    hint: 'The key may upload to your account and nothing else. It appears in the settings below.',
    created: (client: string) => `The key "${client}" is in the settings below.`,
    once: 'It is shown only now: copy or download the settings before you leave this page.',
    manage: 'Manage keys',
    guest: (size: string, retentionDays: number) =>
      `Without an account: images up to ${size}, stored for ${days(retentionDays)}.`,
    login: 'Log in',
    loginText: (client: string) => ` to upload to your account: one click then makes a key for ${client}.`,
    needed: (client: string) => `${client} needs a key here. `,
    placeholder: 'YOUR_API_KEY',
  },
  steps: 'Steps',
  settings: 'Settings',
  copy: 'Copy',
  copied: 'Copied',
  copiedToast: (label: string) => `${label} copied to clipboard!`,
  download: 'Download',
  test: {
    title: 'Test it',
    waiting: (client: string) => `Waiting for an upload from ${client}...`,
    waitingText: 'Upload any image with it now. This page notices.',
    refused: (client: string) => `${client} reached this site, but nothing was uploaded`,
    refusedText: 'It shows the reason. Check the settings and the type and size of the image, then try again.',
    works: 'It works',
    worksText: (name: string) => `${name} has arrived.`,
    open: 'Open the image',
  },
}

interface ClientText {
  text: string
  steps: readonly string[]
}

/** Names of menus and fields are quoted as the client shows them in English. */
export const clientTexts: Record<ClientId, ClientText> = {
  sharex: {
    text: 'Uploads every screenshot and copies its link. Its history also shows thumbnails and can delete.',
    steps: [
      'Download the file.',
      'Open it: ShareX asks to make it the active uploader. Confirm.',
      'Take a screenshot. The link is on your clipboard.',
    ],
  },
  greenshot: {
    text: 'Adds this site to the destinations of a screenshot, through the curl of Windows 10 and newer.',
    steps: [
      'Right-click the Greenshot icon and choose "Configure external commands".',
      'Choose "New" and fill in the three fields.',
      'Take a screenshot and choose the new entry. The link is on your clipboard.',
    ],
  },
  flameshot: {
    text: 'A script that opens Flameshot, uploads what you confirm and copies its link.',
    steps: [
      'Download the script and make it executable: chmod +x flameshot-upload.sh',
      'Install curl, and xclip (X11) or wl-clipboard (Wayland).',
      'Give it a keyboard shortcut in the settings of your desktop.',
    ],
  },
  spectacle: {
    text: 'A script that opens Spectacle, uploads the chosen region and copies its link.',
    steps: [
      'Download the script and make it executable: chmod +x spectacle-upload.sh',
      'Install curl, and xclip (X11) or wl-clipboard (Wayland).',
      'Give it a shortcut in System Settings, under Shortcuts.',
    ],
  },
  ksnip: {
    text: 'Uploads with its Imgur uploader, whose address can be changed.',
    steps: [
      'Open "Settings" and there "Uploader", "Imgur Uploader".',
      'Set the "Base Url", and tick "Link directly to image" and "Always copy Imgur link to clipboard".',
      'Take a screenshot and choose "Upload".',
    ],
  },
  picgo: {
    text: 'Uploads from the clipboard, from files and for editors such as Typora. Needs its plug-in web-uploader.',
    steps: [
      'Install the plug-in: picgo install web-uploader, or search for it in the plug-in settings of the app.',
      'Save the file as ~/.picgo/config.json, or type its values into the settings of "web-uploader" in the app.',
      'Upload with: picgo upload photo.jpg',
    ],
  },
  piclist: {
    text: 'Uploads with its Lsky Pro uploader.',
    steps: [
      'Open the image host settings and choose "Lsky Pro".',
      'Choose the version "V2", fill in the two fields and make it the default.',
      'Drop an image on the window.',
    ],
  },
  upic: {
    text: 'Uploads from the menu bar of a Mac.',
    steps: [
      'Download the file.',
      'Choose "Import host configuration" in the menu of uPic, then the file, then "merge".',
      'Choose the new host in the menu and drop an image on the icon.',
    ],
  },
  obsidian: {
    text: 'Uploads what you paste into a note, with the plug-in Image Auto Upload. On phones too.',
    steps: [
      'Install the community plug-in "Image auto upload".',
      'Choose the default uploader "PicGo(app)" and fill in the two routes.',
      'Turn on "Remote server mode", and paste an image into a note.',
    ],
  },
  vscode: {
    text: 'Uploads what you paste into Markdown, with the extension Markdown Image (hancel.markdown-image).',
    steps: [
      'Install the extension and download the file.',
      'Add the two lines to settings.json, with the path of the file.',
      'Paste an image with Shift+Alt+V.',
    ],
  },
  ios: {
    text: 'A shortcut in the share sheet. Apple signs shortcuts for import, so you make it once yourself.',
    steps: [
      'In Shortcuts, create one that receives images from the share sheet.',
      'Add "Get Contents of URL" with the URL below, method POST, and a form with one file named image: Shortcut Input.',
      'With a key, add the header Authorization.',
      'Add "Copy to Clipboard". Share a photo and choose the shortcut.',
    ],
  },
  android: {
    text: 'Install this site as an app: it then appears where you share photos.',
    steps: [
      'Open this site in Chrome and choose "Install app" or "Add to Home screen" in its menu.',
      'Log in if you want the images in your account.',
      'Share a photo from any app and choose this site.',
    ],
  },
  curl: {
    text: 'Uploads photo.jpg from the folder you are in and prints its link and details as JSON.',
    steps: ['Paste the command into a terminal.', 'Append ?format=txt to the address to get the link alone.'],
  },
  wget: {
    text: 'Uploads photo.jpg from the folder you are in and prints its link.',
    steps: ['Paste the command into a terminal.'],
  },
  command: {
    text: 'The command of this server: folders, patterns and watched folders, with progress, and again after an interruption.',
    steps: [
      'Install it with npm, as docs/command.md of the source describes.',
      'Run the command and paste the key when it asks.',
      'Upload with: image-host upload *.png',
    ],
  },
  n8n: {
    text: 'A node that uploads the binary field data of its input.',
    steps: [
      'Copy the node, click on the canvas and paste it.',
      'Connect it behind a node that has a file, such as Read File.',
      'The link is in the field url of its output.',
    ],
  },
  zapier: {
    text: 'Uploads a file of any trigger with Webhooks by Zapier.',
    steps: [
      'Add the action "Webhooks by Zapier", event POST, payload type Form.',
      'Set the URL, add the header Authorization, and choose the file of the trigger under File.',
      'The link is in the field url of the response.',
    ],
  },
  mcp: {
    text: 'Assistants that speak the Model Context Protocol (MCP) upload to your account. A key that may also read or manage, from API Key Management, lets them find and delete images.',
    steps: [
      'Add the server to the settings of the assistant: its file mcp.json, or the command.',
      'Ask it to upload an image.',
    ],
  },
  other: {
    text: 'This site also understands the APIs of other image hosts. Where an app lets you change the address, it uploads here.',
    steps: [
      'Find the API that the app supports and enter its address from below.',
      'Enter the key where it expects a client id, an API key or a token.',
      'If it has no field for a key, put it into the address: /k/, the key, and then the path.',
    ],
  },
}
