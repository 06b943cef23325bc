// Texts of the page for unknown addresses.

export const notFound = {
  code: '404',
  title: 'Page Not Found',
  text: "Sorry, we couldn't find the page you're looking for.",
  home: 'Return Home',
  /** Before and after the keys that open the command palette. */
  palette: ['Or press', 'to go anywhere'],
} as const
