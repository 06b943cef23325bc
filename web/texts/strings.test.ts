// The strings that are fixed to the letter. X stands for a placeholder's value.
import { expect, test } from 'vitest'
import { notifications } from './notifications-messages.ts'
import { codeFormats } from '../features/embed/code-formats.ts'

const verbatim = `
Loading...
Why Create an Account
Logging in...
Registration successful! You can now log in.
User Instructions
Expiration Alerts
About Image Expiration
No images expiring soon
X image(s) expiring soon
Extending...
API Key Management
Never
You don't have any API keys yet.
Creating...
This is the only time your API key will be displayed. Please copy it now and store it safely.
Done
Authorization: Bearer YOUR_API_KEY
Contact Us
Send Us a Message
Sending...
404
Page Not Found
Sorry, we couldn't find the page you're looking for.
Return Home
Unexpected Application Error!
Expired
Expires today
Expires tomorrow
Expires in X days
Expires in X weeks
Expires on X
Password must be at least 6 characters long
File type must be X
File is larger than X bytes
File is smaller than X bytes
Too many files
No token found
Authentication required
API key name is required
Are you sure you want to delete this API key? This action cannot be undone.
Failed to fetch image analysis
Failed to analyze image
No valid image ID found
Image uploaded successfully!
Failed to upload image
Failed to process or upload image
Failed to process pasted image
Failed to process image data
Processing pasted image...
Image processed successfully!
Converting image to WebP format...
Image converted to WebP format
Uploading image...
Image deleted successfully
Image deleted successfully!
Failed to delete image
URL copied to clipboard!
Image URL copied to clipboard!
X code copied!
Failed to copy to clipboard
Your message has been sent! We'll get back to you soon.
Failed to send message. Please try again.
Expiration extended to 1 year
Failed to extend expiration date
You need to be logged in to view API keys
You need to be logged in to create API keys
You need to be logged in to delete API keys
Failed to fetch API keys
Failed to create API key
Failed to delete API key
Dashboard
Notifications
Logout
Login
Register
Pages
Home
About Us
Legal
Privacy Policy
Terms & Conditions
Free, simple, fast and secure image hosting with tools for content.
Get Started
Easy Upload
Instant Sharing
Long-term Storage
Secure Storage
Guest data is kept X days.
Email
Password
Name
Subject
Message
Grid
List
View
Copy URL
Share
Embed code
Analyze
Delete
Close
Document updated
Failed to update document
Error updating document
Invalid data structure
Complex object editing not fully supported yet
(modified)
Edit
Save
Back
Images are kept X days by default.
Users are notified when images are within 7 days of expiry.
Any image can be extended to 1 year from today.
Expired images are automatically removed.
Extend
Created
Last used
Registration failed
Login failed
Failed to fetch images
Failed to fetch expiring images
Host an image.
Share it anywhere.
Drop, paste or choose an image
Drop to upload
Choose image
PNG, JPG/JPEG or WebP, up to X
PNG, JPG/JPEG, WebP, GIF or SVG, up to X
Recent uploads
Hello, X
No images yet. Drop, paste or choose your first image.
No images match.
Clear filters
Try again
Undo
X to X, X% smaller
You are offline. Uploads continue when the connection is back.
Dismiss
Skip to content
Keyboard shortcuts
Reload page
Database View
Access Denied
Incorrect PIN. Please try again.
Access Granted
Welcome to Database View
Verify
Cancel
No collections found
Document not found
No Collection Selected
Select a collection from the sidebar to view its documents
No documents found in this collection
X selected
JSON
GUI
Delete Selected
Clear
Failed to delete documents
Documents deleted
Delete Collection
Collection deleted
Failed to fetch collections
Failed to fetch documents from X
Failed to delete collection X
Error connecting to the server
Error deleting documents
Loading API Docs...
API Documentation
All Endpoints
No endpoints found for this category
Copied to clipboard
You can now paste the cURL command into your terminal
Code example copied successfully
Failed to copy
Please try again or copy manually
All APIs
Auth
Database
Images
API Keys
Overview
Authentication
Endpoints
Examples
Bearer Authentication
Authorization Roles
Method
Path
Description
Actions
Public
Required
Admin
Copy cURL command
View details
Authentication Required
Parameters
Responses
Path params
Query params
Request body
X requests per minute by default
X for admin
v1
`

const modules = import.meta.glob<object>(['./**/*messages.ts', './prose.ts'], { eager: true })

/** Every text in a module, with X for each parameter. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return textsIn(value('X', 'X', 'X'))
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
// Of a parameter that is not a text.
const facts = notifications.facts({ retentionDays: 365, isAfterView: false }).map((text) => text.replace('365', 'X'))
const texts = new Set([...Object.values(modules).flatMap(textsIn), ...facts])

test.each(verbatim.trim().split('\n'))('%s', (text) => {
  expect(texts).toContain(text)
})

test('the formats of the embed dialog, in their order', () => {
  expect(codeFormats.map(({ id, label }) => `${id}: ${label}`)).toEqual([
    'html: HTML',
    'react: React',
    'vue: Vue',
    'angular: Angular',
    'flutter: Flutter',
    'laravel: Laravel',
    'markdown: Markdown',
    'wordpress: WordPress',
    'ios: iOS',
    'android: Android',
    'jquery: jQuery',
    'python: Python',
  ])
})
