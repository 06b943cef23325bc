// What sockets and resolvers say of a line that is broken, refused, or leads nowhere: the same for every server that is asked.

const codes = /^(ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** @param code of a system error: '' where there is none */
export const isNetworkError = (code: string): boolean => codes.test(code)
