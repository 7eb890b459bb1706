export default function GraphPage({ params: _ }: { params: URLSearchParams }) { return null }
