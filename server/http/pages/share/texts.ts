// The texts of share pages, in the languages that a reader's browser may prefer.

export interface Texts {
  by: (name: string) => string
  /** @param when such as 'in 3 days' */
  expires: (when: string) => string
  expiresOn: (date: string) => string
  download: string
  share: string
  report: string
  sizes: string
  original: string
  links: string
  page: string
  direct: string
  copy: string
  copied: string
  notFound: string
  /** It has expired or was deleted. */
  gone: string
  unavailable: string
  busy: string
}

const texts = {
  en: {
    by: (name) => `by ${name}`,
    expires: (when) => `Expires ${when}`,
    expiresOn: (date) => `Expires on ${date}`,
    download: 'Download',
    share: 'Share',
    report: 'Report this image',
    sizes: 'Sizes',
    original: 'Original',
    links: 'Links',
    page: 'Share link',
    direct: 'Direct link',
    copy: 'Copy',
    copied: 'Copied',
    notFound: 'There is no image at this address',
    gone: 'This image has expired or was deleted',
    unavailable: 'This image is not available',
    busy: 'This page cannot be shown now. Try again in a moment',
  },
  de: {
    by: (name) => `von ${name}`,
    expires: (when) => `Läuft ${when} ab`,
    expiresOn: (date) => `Läuft am ${date} ab`,
    download: 'Herunterladen',
    share: 'Teilen',
    report: 'Dieses Bild melden',
    sizes: 'Größen',
    original: 'Original',
    links: 'Links',
    page: 'Link zum Teilen',
    direct: 'Direkter Link',
    copy: 'Kopieren',
    copied: 'Kopiert',
    notFound: 'Unter dieser Adresse gibt es kein Bild',
    gone: 'Dieses Bild ist abgelaufen oder wurde gelöscht',
    unavailable: 'Dieses Bild ist nicht verfügbar',
    busy: 'Diese Seite kann gerade nicht gezeigt werden. Bitte gleich noch einmal versuchen',
  },
  es: {
    by: (name) => `de ${name}`,
    expires: (when) => `Caduca ${when}`,
    expiresOn: (date) => `Caduca el ${date}`,
    download: 'Descargar',
    share: 'Compartir',
    report: 'Denunciar esta imagen',
    sizes: 'Tamaños',
    original: 'Original',
    links: 'Enlaces',
    page: 'Enlace para compartir',
    direct: 'Enlace directo',
    copy: 'Copiar',
    copied: 'Copiado',
    notFound: 'No hay ninguna imagen en esta dirección',
    gone: 'Esta imagen ha caducado o se ha eliminado',
    unavailable: 'Esta imagen no está disponible',
    busy: 'Esta página no se puede mostrar ahora. Inténtelo de nuevo en un momento',
  },
  fr: {
    by: (name) => `par ${name}`,
    expires: (when) => `Expire ${when}`,
    expiresOn: (date) => `Expire le ${date}`,
    download: 'Télécharger',
    share: 'Partager',
    report: 'Signaler cette image',
    sizes: 'Tailles',
    original: 'Original',
    links: 'Liens',
    page: 'Lien de partage',
    direct: 'Lien direct',
    copy: 'Copier',
    copied: 'Copié',
    notFound: 'Il n’y a pas d’image à cette adresse',
    gone: 'Cette image a expiré ou a été supprimée',
    unavailable: 'Cette image n’est pas disponible',
    busy: 'Cette page ne peut pas être affichée pour le moment. Réessayez dans un instant',
  },
  it: {
    by: (name) => `di ${name}`,
    expires: (when) => `Scade ${when}`,
    expiresOn: (date) => `Scade il ${date}`,
    download: 'Scarica',
    share: 'Condividi',
    report: 'Segnala questa immagine',
    sizes: 'Dimensioni',
    original: 'Originale',
    links: 'Link',
    page: 'Link di condivisione',
    direct: 'Link diretto',
    copy: 'Copia',
    copied: 'Copiato',
    notFound: 'Non c’è nessuna immagine a questo indirizzo',
    gone: 'Questa immagine è scaduta o è stata eliminata',
    unavailable: 'Questa immagine non è disponibile',
    busy: 'Questa pagina non può essere mostrata ora. Riprova tra un momento',
  },
  ja: {
    by: (name) => `投稿者: ${name}`,
    expires: (when) => `${when}に期限切れ`,
    expiresOn: (date) => `有効期限: ${date}`,
    download: 'ダウンロード',
    share: '共有',
    report: 'この画像を報告',
    sizes: 'サイズ',
    original: '元の画像',
    links: 'リンク',
    page: '共有リンク',
    direct: '直接リンク',
    copy: 'コピー',
    copied: 'コピーしました',
    notFound: 'このアドレスに画像はありません',
    gone: 'この画像は期限切れか、削除されました',
    unavailable: 'この画像は利用できません',
    busy: 'このページは現在表示できません。しばらくしてからもう一度お試しください',
  },
  pt: {
    by: (name) => `de ${name}`,
    expires: (when) => `Expira ${when}`,
    expiresOn: (date) => `Expira em ${date}`,
    download: 'Descarregar',
    share: 'Partilhar',
    report: 'Denunciar esta imagem',
    sizes: 'Tamanhos',
    original: 'Original',
    links: 'Links',
    page: 'Link de partilha',
    direct: 'Link direto',
    copy: 'Copiar',
    copied: 'Copiado',
    notFound: 'Não há nenhuma imagem neste endereço',
    gone: 'Esta imagem expirou ou foi eliminada',
    unavailable: 'Esta imagem não está disponível',
    busy: 'Não é possível mostrar esta página agora. Tente novamente dentro de momentos',
  },
  zh: {
    by: (name) => `作者：${name}`,
    expires: (when) => `${when}过期`,
    expiresOn: (date) => `${date}过期`,
    download: '下载',
    share: '分享',
    report: '举报此图片',
    sizes: '尺寸',
    original: '原图',
    links: '链接',
    page: '分享链接',
    direct: '直接链接',
    copy: '复制',
    copied: '已复制',
    notFound: '此地址没有图片',
    gone: '此图片已过期或已被删除',
    unavailable: '此图片不可用',
    busy: '暂时无法显示此页面，请稍后再试',
  },
} as const satisfies Record<string, Texts>

export type Language = keyof typeof texts
export const languages = Object.keys(texts) as Language[]

export const textsIn = (language: Language): Texts => texts[language]

/** The preferred known language of Accept-Language (RFC 9110, section 12.5.4); English by default. */
export function languageOf(header = ''): Language {
  const ranges = header
    .slice(0, 1000)
    .split(',')
    .map((range) => {
      const [tag = '', quality = ''] = range.split(';')
      const q = /^\s*q=([\d.]+)\s*$/.exec(quality)?.[1]
      return { language: tag.trim().toLowerCase().split('-', 1)[0], q: q === undefined ? 1 : Number(q) }
    })
    .filter(({ q }) => q > 0)
    .toSorted((a, b) => b.q - a.q)
  for (const { language } of ranges) {
    const known = languages.find((name) => name === language)
    if (known) return known
  }
  return 'en'
}
