/** The dialog that confirms the session for an action. */
export const confirmation = {
  title: 'Confirm that it is you',
  explain: 'Your login is more than 10 minutes old. This action needs your password once more.',
  password: 'Your password',
  showPassword: 'Show password',
  confirm: 'Confirm',
  busy: 'Confirming...',
  failed: 'This could not be confirmed',
}
