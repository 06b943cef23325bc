/** The dialog that confirms the session for an action. */
export const confirmation = {
  title: 'Confirm that it is you',
  explain: 'Your login is more than 10 minutes old. Prove once more who you are.',
  password: 'Your password',
  code: 'Code of your authenticator app',
  passkey: 'Use a passkey',
  logInAgain: 'Log out and log in again, then repeat this action.',
  confirm: 'Confirm',
  busy: 'Confirming...',
  failed: 'This could not be confirmed',
}
