// Every message of the specification's error catalogue (section 8) is provoked by a journey: one that expects its exact text.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('.', import.meta.url)
const journeys = readdirSync(folder)
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))

// Without 'Failed to extend image expiration', which is kept and has no screen: people read 'Failed to extend expiration date'.
const messages = `
Registration failed
Login failed
Failed to get current user
Failed to fetch images
Failed to fetch expiring images
Failed to upload image
Failed to delete image
Authentication required
No token found
Image uploaded successfully!
Failed to process or upload image
Failed to process pasted image
Failed to process image data
Processing pasted image...
Image processed successfully!
Converting image to WebP format...
Image converted to WebP format
Uploading image...
Image deleted successfully
URL copied to clipboard!
Image URL copied to clipboard!
HTML code copied!
Failed to copy to clipboard
Copied to clipboard
You can now paste the cURL command into your terminal
Code example copied successfully
Failed to copy
Please try again or copy manually
Failed to analyze image
Failed to fetch image analysis
No valid image ID found
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
API key name is required
Failed to fetch collections
Failed to delete collection
Failed to fetch documents from
Failed to delete documents
Failed to update document
Error connecting to the server
Error updating document
Error deleting documents
Collection deleted
Document updated
Documents deleted
Access Denied
Incorrect PIN. Please try again.
Access Granted
Welcome to Database View
Unavailable For Headless Browser
Forbidden
Too Many Requests
Network Error
Invalid data structure
Password must be at least 6 characters long
File type must be
File is larger than
File is smaller than
Too many files
Page Not Found
Unexpected Application Error!
`

test.each(messages.trim().split('\n'))('a journey provokes %s', (message) => {
  // Journeys also match by patterns.
  const forms = [message, message.replaceAll(/[.?()]/g, String.raw`\$&`), message.replaceAll("'", String.raw`\'`)]
  expect(journeys.filter((journey) => forms.some((form) => journey.includes(form)))).not.toEqual([])
})
