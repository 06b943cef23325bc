// Texts of the offer to install the page as an app.

export const installing = {
  label: 'Install',
  text: 'Upload from your home screen, and straight from other apps.',
  install: (name: string) => `Install ${name}`,
  refuse: 'Not now',
}
