// Login and registration.

export const account = {
  email: 'Email',
  password: 'Password',
  showPassword: 'Show password',
  passwordRule: 'At least 6 characters',
  passwordShort: 'Password must be at least 6 characters long',
  login: {
    title: 'Login',
    lead: 'Welcome back.',
    submit: 'Login',
    busy: 'Logging in...',
    failed: 'Login failed',
    otherText: 'No account yet?',
    otherLink: 'Register',
  },
  register: {
    title: 'Register',
    lead: 'Images up to 10 MB, kept 365 days and longer.',
    submit: 'Register',
    busy: 'Registering...',
    done: 'Registration successful! You can now log in.',
    failed: 'Registration failed',
    otherText: 'Already have an account?',
    otherLink: 'Login',
  },
}
