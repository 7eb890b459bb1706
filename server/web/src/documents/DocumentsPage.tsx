export default function DocumentsPage({ params: _ }: { params: URLSearchParams }) { return null }
