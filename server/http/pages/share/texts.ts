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
  page: string
  direct: string
  copy: string
  copied: string
  copyLink: string
  /** Codes for other sites. */
  embed: string
  notFound: string
  /** It has expired or was deleted. */
  gone: string
  expiredOn: (date: string) => string
  unavailable: string
  busy: string
  notFoundHint: string
  goneHint: string
  unavailableHint: string
  /** A button to the upload. */
  hostYourOwn: string
  startPage: string
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
    page: 'Share link',
    direct: 'Direct link',
    copy: 'Copy',
    copied: 'Copied',
    copyLink: 'Copy link',
    embed: 'Embed',
    notFound: 'There is no image at this address',
    gone: 'This image has expired or was deleted',
    expiredOn: (date) => `This image expired on ${date}`,
    unavailable: 'This image is not available',
    busy: 'This page cannot be shown now. Try again in a moment',
    notFoundHint: 'Check the address for a typing mistake, or ask whoever sent it to you for a new one.',
    goneHint: 'Images are kept for a limited time. Ask whoever sent you the address whether they still have it.',
    unavailableHint: 'It may be available again later.',
    hostYourOwn: 'Host your own image',
    startPage: 'Start page',
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
    page: 'Link zum Teilen',
    direct: 'Direkter Link',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyLink: 'Link kopieren',
    embed: 'Einbetten',
    notFound: 'Unter dieser Adresse gibt es kein Bild',
    gone: 'Dieses Bild ist abgelaufen oder wurde gelöscht',
    expiredOn: (date) => `Dieses Bild ist am ${date} abgelaufen`,
    unavailable: 'Dieses Bild ist nicht verfügbar',
    busy: 'Diese Seite kann gerade nicht gezeigt werden. Bitte gleich noch einmal versuchen',
    notFoundHint:
      'Prüfen Sie die Adresse auf Tippfehler, oder fragen Sie, wer sie Ihnen geschickt hat, nach einer neuen.',
    goneHint:
      'Bilder werden nur eine Zeit lang aufbewahrt. Fragen Sie, wer Ihnen die Adresse geschickt hat, ob es das Bild noch gibt.',
    unavailableHint: 'Vielleicht ist es später wieder verfügbar.',
    hostYourOwn: 'Eigenes Bild hochladen',
    startPage: 'Startseite',
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
    page: 'Enlace para compartir',
    direct: 'Enlace directo',
    copy: 'Copiar',
    copied: 'Copiado',
    copyLink: 'Copiar enlace',
    embed: 'Insertar',
    notFound: 'No hay ninguna imagen en esta dirección',
    gone: 'Esta imagen ha caducado o se ha eliminado',
    expiredOn: (date) => `Esta imagen caducó el ${date}`,
    unavailable: 'Esta imagen no está disponible',
    busy: 'Esta página no se puede mostrar ahora. Inténtelo de nuevo en un momento',
    notFoundHint: 'Compruebe que la dirección esté bien escrita o pida una nueva a quien se la envió.',
    goneHint:
      'Las imágenes se guardan durante un tiempo limitado. Pregunte a quien le envió la dirección si aún la tiene.',
    unavailableHint: 'Puede que vuelva a estar disponible más tarde.',
    hostYourOwn: 'Suba su propia imagen',
    startPage: 'Página de inicio',
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
    page: 'Lien de partage',
    direct: 'Lien direct',
    copy: 'Copier',
    copied: 'Copié',
    copyLink: 'Copier le lien',
    embed: 'Intégrer',
    notFound: 'Il n’y a pas d’image à cette adresse',
    gone: 'Cette image a expiré ou a été supprimée',
    expiredOn: (date) => `Cette image a expiré le ${date}`,
    unavailable: 'Cette image n’est pas disponible',
    busy: 'Cette page ne peut pas être affichée pour le moment. Réessayez dans un instant',
    notFoundHint: 'Vérifiez l’adresse, ou demandez-en une nouvelle à la personne qui vous l’a envoyée.',
    goneHint:
      'Les images sont conservées pour une durée limitée. Demandez à la personne qui vous a envoyé l’adresse si elle l’a encore.',
    unavailableHint: 'Elle sera peut-être de nouveau disponible plus tard.',
    hostYourOwn: 'Hébergez votre image',
    startPage: 'Page d’accueil',
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
    page: 'Link di condivisione',
    direct: 'Link diretto',
    copy: 'Copia',
    copied: 'Copiato',
    copyLink: 'Copia link',
    embed: 'Incorpora',
    notFound: 'Non c’è nessuna immagine a questo indirizzo',
    gone: 'Questa immagine è scaduta o è stata eliminata',
    expiredOn: (date) => `Questa immagine è scaduta il ${date}`,
    unavailable: 'Questa immagine non è disponibile',
    busy: 'Questa pagina non può essere mostrata ora. Riprova tra un momento',
    notFoundHint: 'Controlli che l’indirizzo sia scritto bene, o ne chieda uno nuovo a chi glielo ha inviato.',
    goneHint:
      'Le immagini sono conservate per un tempo limitato. Chieda a chi le ha inviato l’indirizzo se l’ha ancora.',
    unavailableHint: 'Forse sarà di nuovo disponibile più tardi.',
    hostYourOwn: 'Carichi una sua immagine',
    startPage: 'Pagina iniziale',
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
    page: '共有リンク',
    direct: '直接リンク',
    copy: 'コピー',
    copied: 'コピーしました',
    copyLink: 'リンクをコピー',
    embed: '埋め込み',
    notFound: 'このアドレスに画像はありません',
    gone: 'この画像は期限切れか、削除されました',
    expiredOn: (date) => `この画像は${date}に期限切れになりました`,
    unavailable: 'この画像は利用できません',
    busy: 'このページは現在表示できません。しばらくしてからもう一度お試しください',
    notFoundHint: 'アドレスに誤りがないか確認するか、送った人に新しいアドレスを尋ねてください。',
    goneHint: '画像の保存期間には限りがあります。アドレスを送った人に、画像がまだあるか尋ねてください。',
    unavailableHint: '後でまた利用できるようになるかもしれません。',
    hostYourOwn: '画像をアップロードする',
    startPage: 'トップページ',
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
    page: 'Link de partilha',
    direct: 'Link direto',
    copy: 'Copiar',
    copied: 'Copiado',
    copyLink: 'Copiar link',
    embed: 'Incorporar',
    notFound: 'Não há nenhuma imagem neste endereço',
    gone: 'Esta imagem expirou ou foi eliminada',
    expiredOn: (date) => `Esta imagem expirou em ${date}`,
    unavailable: 'Esta imagem não está disponível',
    busy: 'Não é possível mostrar esta página agora. Tente novamente dentro de momentos',
    notFoundHint: 'Verifique se o endereço está bem escrito ou peça um novo a quem lho enviou.',
    goneHint: 'As imagens são guardadas por tempo limitado. Pergunte a quem lhe enviou o endereço se ainda a tem.',
    unavailableHint: 'Talvez volte a estar disponível mais tarde.',
    hostYourOwn: 'Aloje a sua imagem',
    startPage: 'Página inicial',
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
    page: '分享链接',
    direct: '直接链接',
    copy: '复制',
    copied: '已复制',
    copyLink: '复制链接',
    embed: '嵌入',
    notFound: '此地址没有图片',
    gone: '此图片已过期或已被删除',
    expiredOn: (date) => `此图片已于${date}过期`,
    unavailable: '此图片不可用',
    busy: '暂时无法显示此页面，请稍后再试',
    notFoundHint: '请检查地址是否有误，或向发送者索取新的地址。',
    goneHint: '图片只保存一段时间。请询问地址的发送者是否仍有此图片。',
    unavailableHint: '以后可能会重新提供。',
    hostYourOwn: '上传您自己的图片',
    startPage: '首页',
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
