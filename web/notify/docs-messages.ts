// The API docs. Words about an endpoint come from the contract.

export const docs = {
  version: 'v1',
  copied: 'Copied to clipboard',
  copiedCurl: 'You can now paste the cURL command into your terminal',
  copiedCode: 'Code example copied successfully',
  copyFailed: 'Failed to copy',
  copyFailedText: 'Please try again or copy manually',
}
