// Error codes of sockets and resolvers: connections that broke, were refused or have no route.

const codes = /^(ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** @param code of a system error, or '' when it has none */
export const isNetworkError = (code: string): boolean => codes.test(code)
