// Custom links that no image may have: they would pass for pages or people of the site.

const words = `
  about abuse account accounts admin administrator album albums api api-docs api-keys app apps assets auth
  authorize billing blog branding careers claim confirm-email contact cookies copyright dashboard database delete
  demo dev developer developers dmca docs documentation download downloads email embed error faq favicon feedback
  forgot forum gallery guest guests health help home host hostmaster image image-host images impressum imprint
  index info install invitation invite jobs legal licence license link links login logout mail me media metrics
  mod moderation moderator new news newsletter notifications null oauth oembed official operator pages password
  pay payment postmaster premium press pricing privacy privacy-policy profile public register report reports reset
  reset-password robots root rss search secure security settings share shop sign-in sign-out sign-up signin
  signout signup sitemap slug staff static status store support sysadmin system tag tags team terms terms-and-conditions
  test tools undefined unsubscribe update upload uploads user users verify webhook webhooks webmaster welcome www
`

export const reservedSlugs: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
